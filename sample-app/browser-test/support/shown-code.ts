import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** The front ends that a document shows. */
function shownIn(document: string): string[] {
  const markdown = readFileSync(join(ROOT, document), 'utf8');
  return [...markdown.matchAll(/```tsx\n([\s\S]*?)```/g)].map(
    ([, code]) => code!,
  );
}

/**
 * Compiles the front ends that documents show.
 *
 * @param application the folder whose packages they need, with its own `tsconfig.json`.
 * @returns how many there are, and what the compiler says of them.
 */
export function compileShown(documents: string[], application: string) {
  const folder = join(application, '.docs');
  mkdirSync(folder, { recursive: true });
  try {
    const files = documents.flatMap(shownIn).map((code, number) => {
      const file = join(folder, `${number}.tsx`);
      writeFileSync(file, code);
      return file;
    });
    const { config } = ts.readConfigFile(
      join(application, 'tsconfig.json'),
      (path) => readFileSync(path, 'utf8'),
    ) as { config: { compilerOptions: object } };
    const { options } = ts.convertCompilerOptionsFromJson(
      config.compilerOptions,
      application,
    );
    const problems = ts
      .getPreEmitDiagnostics(ts.createProgram(files, options))
      .map(({ file, messageText }) => [
        file?.fileName,
        ts.flattenDiagnosticMessageText(messageText, '\n'),
      ]);
    return { count: files.length, problems };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
