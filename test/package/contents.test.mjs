import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

/** The unpacked tarball. */
const folder = process.env.PACKAGE_FOLDER;
const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));

const read = (file) => readFileSync(join(folder, file), 'utf8');

/** The files that an entry of `exports` names, whatever its conditions. */
const targets = (entry) =>
  typeof entry === 'string' ? [entry] : Object.values(entry).flatMap(targets);

/** The file that a relative specifier means, seen from a file. */
const referred = (file, specifier) => join(file, '..', specifier);

describe('The packed package', () => {
  it('should have what a reader looks for, and the build', () => {
    const top = new Set(files.map((file) => file.split('/')[0]));
    assert.deepEqual(
      top,
      new Set(['CHANGELOG.md', 'LICENSE', 'README.md', 'dist', 'package.json']),
    );
  });

  it('should have neither specs nor fixtures', () => {
    assert.deepEqual(
      files.filter((file) => /\.(spec|fixture|test)\./.test(file)),
      [],
    );
  });

  it('should have code, declarations, and what the schematics are made of', () => {
    const others = files.filter(
      (file) => file.startsWith('dist/') && !/\.(js|d\.ts)$/.test(file),
    );
    assert.ok(others.length > 0);
    for (const file of others)
      assert.match(
        file,
        /^dist\/schematics\/.*(collection\.json|schema\.json|\.template)$/,
      );
  });

  it('should name no source map, as it has no sources', () => {
    assert.deepEqual(
      files.filter(
        (file) =>
          file.endsWith('.js') && read(file).includes('sourceMappingURL'),
      ),
      [],
    );
  });

  for (const [entry, target] of Object.entries(manifest.exports))
    it(`should have the files of ${entry}`, () => {
      for (const file of targets(target))
        assert.ok(existsSync(join(folder, file)), file);
      if (entry !== '.' && entry !== './package.json')
        assert.ok(
          manifest.typesVersions['*'][entry.slice(2)],
          'typesVersions does not name it',
        );
    });

  it('should have every file that another one imports', () => {
    const missing = files
      .filter((file) => /\.(js|d\.ts)$/.test(file))
      .flatMap((file) =>
        [
          ...read(file).matchAll(
            /\b(?:from|import)\s*\(?\s*['"](\.{1,2}\/[^'"]+)['"]/g,
          ),
        ]
          .map(([, specifier]) => referred(file, specifier))
          .filter((path) => !files.includes(path))
          .map((path) => `${file} → ${path}`),
      );
    assert.deepEqual(missing, []);
  });

  it('should be published for everybody, with its provenance', () => {
    assert.deepEqual(manifest.publishConfig, {
      access: 'public',
      provenance: true,
    });
    assert.equal(manifest.license, 'MIT');
    assert.notEqual(manifest.private, true);
  });
});
