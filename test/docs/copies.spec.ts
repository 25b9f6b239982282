import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const page = readFileSync('docs/testing.md', 'utf8');
const blocks = [...page.matchAll(/```ts\n(\/\/ (\S+)\n[\s\S]*?)```/g)].map(
  ([, code, name]) => [name!, code!] as const,
);

it.each(blocks)(
  'docs/testing.md should show %s as it is here',
  (name, code) => {
    expect(code).toBe(readFileSync(`test/docs/${name}`, 'utf8'));
  },
);

it('docs/testing.md should have examples', () => {
  expect(blocks.map(([name]) => name)).toEqual([
    'weather.spec.ts',
    'refused.ts',
  ]);
});
