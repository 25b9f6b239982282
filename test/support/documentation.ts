import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { HttpAgent } from '@ag-ui/client';
import type { Type } from '@nestjs/common';
import {
  AguiModule,
  type AguiModuleOptions,
  type GuardSource,
} from 'nestjs-agui';
import { afterAll, afterEach, beforeAll, vi } from 'vitest';
import { closeApps, startApp } from './app.js';
import { blocks, nameOf } from './markdown.js';

export const readme = readFileSync('README.md', 'utf8');
export const page = (name: string) => readFileSync(`docs/${name}.md`, 'utf8');

/** The pages whose code is about what is installed here; some of it is about other frameworks, and tested with them. */
const pages = [
  'README.md',
  ...readdirSync('docs')
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
];
export const code = pages
  .flatMap((page) => blocks('ts', readFileSync(page, 'utf8')))
  .filter((piece) => !/'@ag-ui\/(langgraph|mastra)'/.test(piece));

/** The first two columns of the tables in a text, where the first one is code. */
export function rowsOf(text: string): [first: string, second: string][] {
  return [...text.matchAll(/^\|\s+`([^|]+)`[^|`]*\|\s*([^|]*?)\s*\|/gm)].map(
    ([, first, second]) => [first!, second!.replace(/^`(.*)`$/, '$1')],
  );
}

/** A guard that takes everybody for one user. */
export const letIn = (user: { id: string }): GuardSource => ({
  canActivate: (context) => {
    const request = context.switchToHttp().getRequest<{ user?: object }>();
    request.user = user;
    return true;
  },
});

export function clientOf(url: string, path: string, said: string): HttpAgent {
  return new HttpAgent({
    url: url + path,
    threadId: 'thread-1',
    initialMessages: [{ id: 'message-1', role: 'user', content: said }],
  });
}

/** The code of all pages, as files, while the tests of a spec run. */
export function useDocumentedCode(spec: string) {
  // Of this process: the suite may run twice at a time.
  const name = `${process.pid}-${spec}`;
  const folder = resolve('test/.readme', name);
  beforeAll(() => {
    mkdirSync(folder, { recursive: true });
    for (const piece of code) writeFileSync(join(folder, nameOf(piece)), piece);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  afterEach(async () => {
    vi.unstubAllEnvs();
    await closeApps();
  });

  /** The classes of some files: the application's modules or providers. */
  const classes = (files: Record<string, string>): Promise<Type[]> =>
    Promise.all(
      Object.entries(files).map(async ([type, file]) => {
        // Relative, as the files import each other: a class of theirs is one class.
        const found = (await import(
          /* @vite-ignore */ `../.readme/${name}/${file}`
        )) as Record<string, Type>;
        return found[type]!;
      }),
    );

  /** An application of documented providers. */
  const appOf = async (
    files: Record<string, string>,
    options: AguiModuleOptions = {},
  ) => {
    const providers = await classes(files);
    return startApp('express', {
      imports: [AguiModule.forRoot(options)],
      providers,
    });
  };

  /** Runs a documented front end against an application, and tells what it writes. */
  const runFrontEnd = async (file: string, url: string): Promise<unknown[]> => {
    const code = readFileSync(join(folder, file), 'utf8');
    const copy = join(folder, `at-${new URL(url).port}-${file}`);
    writeFileSync(copy, code.replaceAll('http://localhost:3000', url));
    const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    try {
      await import(/* @vite-ignore */ copy);
      return log.mock.calls.flat() as unknown[];
    } finally {
      log.mockRestore();
      rmSync(copy);
    }
  };

  return { folder, classes, appOf, runFrontEnd };
}
