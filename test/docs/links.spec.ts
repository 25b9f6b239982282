import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const pages = [
  ...readdirSync('docs')
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'bench/README.md',
  'sample-app/README.md',
  'llms.txt',
];

/** The anchors of a page's headings, as GitHub makes them. */
function anchorsOf(page: string): string[] {
  return [...readFileSync(page, 'utf8').matchAll(/^#+ (.*)$/gm)].map(
    ([, title]) =>
      title!
        .toLowerCase()
        .replace(/[^\w\- ]/g, '')
        .replaceAll(' ', '-'),
  );
}

/** Where a page leads to in this repository. */
function targetsOf(page: string): string[] {
  const text = readFileSync(page, 'utf8').replace(/```[^]*?```/g, '');
  return [...text.matchAll(/\]\(([^):\s]+)\)/g)].map(([, target]) => target!);
}

function leadsNowhere(page: string, target: string): boolean {
  const [path = '', anchor] = target.split('#');
  const file = path === '' ? page : join(dirname(page), path);
  if (!existsSync(file)) return true;
  return anchor !== undefined && !anchorsOf(file).includes(anchor);
}

describe('The documentation', () => {
  it.each(pages)('should lead to what there is in %s', (page) => {
    const wrong = targetsOf(page).filter((to) => leadsNowhere(page, to));
    expect(wrong).toEqual([]);
  });

  it.each(['README.md', 'llms.txt'])('should be listed in %s', (list) => {
    const listed = targetsOf(list);
    const missing = pages.filter(
      (page) => page.startsWith('docs/') && !listed.includes(page),
    );
    expect(missing).toEqual([]);
  });
});
