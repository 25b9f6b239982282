import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { PAGE } from './support/page-server.js';

const DOCUMENTS = ['README.md', 'docs/copilotkit.md'];
const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The front ends that a document shows. */
function shownIn(document: string): string[] {
  const markdown = readFileSync(join(ROOT, document), 'utf8');
  return [...markdown.matchAll(/```tsx\n([\s\S]*?)```/g)].map(
    ([, code]) => code!,
  );
}

it('The front ends of the documentation should compile', () => {
  const folder = join(PAGE, '.docs');
  mkdirSync(folder, { recursive: true });
  try {
    const files = DOCUMENTS.flatMap(shownIn).map((code, number) => {
      const file = join(folder, `${number}.tsx`);
      writeFileSync(file, code);
      return file;
    });
    expect(files.length).toBeGreaterThan(4);
    const { config } = ts.readConfigFile(join(PAGE, 'tsconfig.json'), (path) =>
      readFileSync(path, 'utf8'),
    ) as { config: { compilerOptions: object } };
    const { options } = ts.convertCompilerOptionsFromJson(
      config.compilerOptions,
      PAGE,
    );
    const diagnostics = ts.getPreEmitDiagnostics(
      ts.createProgram(files, options),
    );
    expect(
      diagnostics.map(({ file, messageText }) => [
        file?.fileName,
        ts.flattenDiagnosticMessageText(messageText, '\n'),
      ]),
    ).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
