import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { blocks, nameOf } from '../support/markdown.js';
import { useModelServer } from '../support/model-server.js';

useModelServer();

function unindented(code: string): string {
  return code.replace(/^ +/gm, '');
}

describe("The sample's README", () => {
  const sample = readFileSync('sample-app/README.md', 'utf8');

  it('should show code that the sample consists of', () => {
    const shown = blocks('ts', sample);
    expect(shown.length).toBeGreaterThan(6);
    for (const code of shown) {
      const name = nameOf(code);
      const source = readFileSync(join('sample-app/src', name), 'utf8');
      const [, ...pieces] = code.split(/^ *\/\/ (?:\S+\.ts|…)$\n/m);
      for (const piece of pieces) expect(source).toContain(piece.trimEnd());
    }
  });

  it('should show code that the page consists of', () => {
    const shown = blocks('tsx', sample);
    expect(shown.length).toBeGreaterThan(6);
    for (const code of shown) {
      const [, name, piece] = /^\/\/ (\S+)\n([^]*)$/.exec(code)!;
      const source = readFileSync(join('sample-app/web/src', name!), 'utf8');
      expect(unindented(source)).toContain(unindented(piece!.trimEnd()));
    }
  });

  it.each(['README.md', 'sample-app/README.md'])(
    'should have the images of %s, kept small',
    (file) => {
      const images = [
        ...readFileSync(file, 'utf8').matchAll(/!\[[^\]]+\]\(([^):]+)\)/g),
      ];
      expect(images.length).toBeGreaterThan(0);
      for (const [, path] of images) {
        const { size } = statSync(join(dirname(file), path!));
        expect(size).toBeLessThan(150_000);
      }
    },
  );
});
