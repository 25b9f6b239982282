import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { blocks, nameOf } from '../support/markdown.js';

const page = new URL('../../docs/existing-agents.md', import.meta.url);
const folder = join(import.meta.dirname, '.docs');

/** What a file of the page of existing agents exports, one that is about this folder's packages. */
export async function fromDocs<T>(file: string, name: string): Promise<T> {
  mkdirSync(folder, { recursive: true });
  const code = blocks('ts', readFileSync(page, 'utf8')).find(
    (one) => nameOf(one) === file,
  );
  if (code === undefined) throw new Error(`The page has no file ${file}.`);
  writeFileSync(join(folder, file), code);
  const found = (await import(/* @vite-ignore */ join(folder, file))) as Record<
    string,
    unknown
  >;
  return found[name] as T;
}
