import type { Tree } from '@angular-devkit/schematics';

const MANIFEST = '/package.json';

/** What the schematics know of an application's package.json. */
export interface ApplicationManifest {
  type?: string;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  jest?: Record<string, unknown>;
}

export function readManifest(tree: Tree): ApplicationManifest {
  return tree.readJson(MANIFEST) as ApplicationManifest;
}

/** Writes it as npm does. */
export function writeManifest(tree: Tree, manifest: ApplicationManifest): void {
  tree.overwrite(MANIFEST, `${JSON.stringify(manifest, null, 2)}\n`);
}
