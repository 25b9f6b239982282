import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Test } from '@nestjs/testing';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  camelOf,
  PROPERTY_NAMES,
  resolveProperties,
} from '../src/agui-properties.parser.js';

const readme = readFileSync('README.md', 'utf8');
const folder = resolve('test/.readme');

function blocks(language: string): string[] {
  const fence = new RegExp('```' + language + '\\n([\\s\\S]*?)```', 'g');
  return [...readme.matchAll(fence)].map(([, code]) => code!);
}

describe('README', () => {
  beforeAll(() => {
    mkdirSync(folder, { recursive: true });
    for (const code of blocks('ts')) {
      const name = /^\/\/ (\S+\.ts)$/m.exec(code)?.[1];
      if (name === undefined)
        throw new Error(`This code names no file in its first line: ${code}`);
      writeFileSync(join(folder, name), code);
    }
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('should have code that compiles', { timeout: 60_000 }, () => {
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
    expect(files.length).toBeGreaterThan(5);
    expect(problems.join('\n')).toBe('');
  });

  it('should have a quick start that answers what it says', async () => {
    const { AppModule } = (await import(
      /* @vite-ignore */ join(folder, 'app.module.ts')
    )) as { AppModule: new () => unknown };
    const module = await Test.createTestingModule({
      imports: [AppModule],
    }).compile();
    const app = module.createNestApplication({ logger: false });
    await app.listen(0, '127.0.0.1');
    const curl = blocks('sh').find((code) => code.startsWith('curl'))!;
    const response = await fetch(`${await app.getUrl()}/agui/run`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: /-d '([\s\S]*)'/.exec(curl)![1]!,
    });
    const answer = await response.text();
    await app.close();
    expect(answer.trim()).toBe(
      blocks('text')
        .find((code) => code.startsWith('data:'))!
        .trim(),
    );
  });

  it('should have a table of all options with their defaults', () => {
    const rows = [
      ...readme.matchAll(/^\|\s+`([\w-]+)`\s+\|\s+`([^`]+)`\s+\|/gm),
    ].map(([, name, value]) => [camelOf(name!), value!]);
    expect(rows.map(([name]) => name).sort()).toEqual(
      [...PROPERTY_NAMES].sort(),
    );
    expect(resolveProperties(Object.fromEntries(rows) as object)).toEqual(
      resolveProperties(),
    );
  });

  it('should justify every dependency', () => {
    const { dependencies } = JSON.parse(
      readFileSync('package.json', 'utf8'),
    ) as { dependencies: Record<string, string> };
    const section = readme.slice(readme.indexOf('## Dependencies'));
    for (const name of Object.keys(dependencies))
      expect(section).toContain(`\`${name}\``);
  });
});
