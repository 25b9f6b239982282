import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

const manifest = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
) as {
  name: string;
  type: string;
  main: string;
  types: string;
  files: string[];
  exports: Record<string, string | Record<string, string>>;
  dependencies: Record<string, string>;
  peerDependencies: Record<string, string>;
};

const entries = Object.entries(manifest.exports).filter(
  (entry): entry is [string, Record<string, string>] =>
    typeof entry[1] !== 'string',
);

/** The packages that the sources import, types included: their declarations reach the user. */
function importedPackages(): string[] {
  const files = ['src', 'schematics']
    .flatMap((folder) =>
      readdirSync(join(root, folder), {
        recursive: true,
        encoding: 'utf8',
      }).map((file) => join(folder, file)),
    )
    .filter((file) => /(?<!\.spec|\.fixture)\.ts$/.test(file));
  const specifiers = files.flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    return [
      ...text.matchAll(/^(?:import|export) [^;='"]*\bfrom '([^']+)';/gm),
      ...text.matchAll(/^import '([^']+)';/gm),
      ...text.matchAll(/\bimport\('([^']+)'\)/g),
    ].map(([, specifier]) => specifier!);
  });
  const packages = specifiers
    .filter((specifier) => !specifier.startsWith('.') && !isBuiltin(specifier))
    .map((specifier) =>
      specifier
        .split('/')
        .slice(0, specifier.startsWith('@') ? 2 : 1)
        .join('/'),
    );
  return [...new Set(packages)].toSorted();
}

describe('The manifest', () => {
  it('should declare every package that the sources import', () => {
    const declared = {
      ...manifest.dependencies,
      ...manifest.peerDependencies,
    };
    const imported = importedPackages();
    expect(imported).toContain('@nestjs/common');
    expect(imported.filter((name) => !(name in declared))).toEqual([]);
  });

  it('should not bring packages that no source imports', () => {
    const imported = importedPackages();
    expect(
      Object.keys(manifest.dependencies).filter(
        (name) => !imported.includes(name),
      ),
    ).toEqual([]);
  });

  it('should be a module with its types', () => {
    expect(manifest.type).toBe('module');
    expect(manifest.exports['.']).toEqual({
      types: manifest.types,
      default: manifest.main,
    });
    expect(manifest.exports['./package.json']).toBe('./package.json');
    expect(manifest.files).toContain('dist');
  });

  it.each(entries)(
    'should have types and a default for %s, made from a source that there is',
    (_name, conditions) => {
      // Types first: TypeScript takes the first condition that fits.
      expect(Object.keys(conditions)).toEqual(['types', 'default']);
      for (const file of Object.values(conditions)) {
        expect(file).toMatch(/^\.\/dist\//);
        const source = file
          .replace('./dist/', 'src/')
          .replace(/(\.d\.ts|\.js)$/, '.ts');
        expect(existsSync(join(root, source))).toBe(true);
      }
    },
  );
});
