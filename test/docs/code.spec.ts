import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { code, useDocumentedCode } from '../support/documentation.js';

describe('The code of the documentation', () => {
  const { folder } = useDocumentedCode('code');

  it('should compile', { timeout: 120_000 }, () => {
    const { config } = ts.readConfigFile('tsconfig.json', (path) =>
      readFileSync(path, 'utf8'),
    ) as { config: { compilerOptions: object } };
    const { options } = ts.convertCompilerOptionsFromJson(
      { ...config.compilerOptions, noEmit: true, noUnusedParameters: false },
      resolve('.'),
    );
    const files = ts.sys.readDirectory(folder, ['.ts']);
    const program = ts.createProgram(files, options);
    const problems = ts.getPreEmitDiagnostics(program).map((diagnostic) => {
      const text = ts.flattenDiagnosticMessageText(
        diagnostic.messageText,
        '\n',
      );
      return `${diagnostic.file?.fileName}: ${text}`;
    });
    expect(files.length).toBe(code.length);
    expect(problems.join('\n')).toBe('');
  });
});
