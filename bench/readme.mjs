// The last whole run stands in README.md, between two marks.
import { readFileSync, writeFileSync } from 'node:fs';

const FILE = new URL('README.md', import.meta.url);
const BEGIN = '<!-- last run -->';
const END = '<!-- end of last run -->';

export function keepInReadme(text) {
  const before = readFileSync(FILE, 'utf8');
  const [head, rest] = before.split(BEGIN);
  const [, tail] = rest.split(END);
  writeFileSync(FILE, `${head}${BEGIN}\n\n${text}\n\n${END}${tail}`);
}
