// What the built sample needs is a development dependency of the package. For an image it becomes a
// dependency, so that `npm prune --omit=dev` keeps it, in the version of the lock file.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const MANIFEST = join(ROOT, 'package.json');
const manifest = JSON.parse(readFileSync(MANIFEST, 'utf8'));

const IMPORT = /\b(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g;

/** The file that an import means, if it is one of the repository's. */
function fileOf(specifier, importer) {
  if (specifier.startsWith('.')) return join(importer, '..', specifier);
  const [name, ...entry] = specifier.split('/');
  if (name !== manifest.name) return undefined;
  return join(ROOT, manifest.exports[['.', ...entry].join('/')].default);
}

const files = new Set([join(ROOT, 'sample-app/dist/main.js')]);
const packages = new Set();
for (const file of files)
  for (const [, specifier] of readFileSync(file, 'utf8').matchAll(IMPORT)) {
    const imported = fileOf(specifier, file);
    if (imported) files.add(imported);
    else packages.add(specifier.match(/^(?:@[^/]+\/)?[^/]+/)[0]);
  }

for (const [name, range] of Object.entries(manifest.devDependencies))
  if (packages.has(name)) {
    manifest.dependencies[name] = range;
    delete manifest.devDependencies[name];
  }
writeFileSync(MANIFEST, `${JSON.stringify(manifest, null, 2)}\n`);
