import { createRequire } from 'node:module';
import { chain, noop, type Rule, type Tree } from '@angular-devkit/schematics';
import { NodePackageInstallTask } from '@angular-devkit/schematics/tasks/index.js';
import { ModuleFinder } from '@nestjs/schematics';
import {
  readManifest,
  writeManifest,
  type ApplicationManifest,
} from '../application-manifest.js';
import { declare } from '../declare.js';

/** What `nest add nestjs-agui` was called with; see `schema.json`. */
export interface NestAddOptions {
  sourceRoot: string;
  skipImport: boolean;
}

const { dependencies } = createRequire(import.meta.url)(
  'nestjs-agui/package.json',
) as { dependencies: Record<'@ag-ui/core', string> };

/** The release of AG-UI that the package speaks; the client has the same number. */
const AG_UI = dependencies['@ag-ui/core'];

const LOCK_FILES = {
  'pnpm-lock.yaml': 'pnpm',
  'yarn.lock': 'yarn',
  'bun.lock': 'bun',
};

/** Adds the module to the root module, and to package.json what the module and the specs of agents need. */
export function nestAdd({ sourceRoot, skipImport }: NestAddOptions): Rule {
  return (tree) =>
    chain([
      skipImport
        ? noop()
        : declare(new ModuleFinder(tree).find(tree.getDir(sourceRoot)), {
            list: 'imports',
            element: 'AguiModule.forRoot()',
            symbol: 'AguiModule',
            from: 'nestjs-agui',
          }),
      addPackages(),
    ]);
}

function addPackages(): Rule {
  return (tree, context) => {
    const manifest = readManifest(tree);
    const before = JSON.stringify(manifest);
    const config = isOnNest11(manifest) ? '^4.0.0' : '^12.0.0';
    addPackage(manifest, 'dependencies', '@nestjs/config', config);
    addPackage(manifest, 'devDependencies', '@ag-ui/client', AG_UI);
    letJestTransform(manifest);
    if (JSON.stringify(manifest) === before) return;
    writeManifest(tree, manifest);
    context.addTask(
      new NodePackageInstallTask({ packageManager: packageManagerOf(tree) }),
    );
  };
}

function isOnNest11({ dependencies }: ApplicationManifest): boolean {
  return /\b11\./.test(dependencies?.['@nestjs/common'] ?? '');
}

function addPackage(
  manifest: ApplicationManifest,
  kind: 'dependencies' | 'devDependencies',
  name: string,
  range: string,
): void {
  if (name in { ...manifest.dependencies, ...manifest.devDependencies }) return;
  const packages = Object.entries({ ...manifest[kind], [name]: range });
  manifest[kind] = Object.fromEntries(
    packages.toSorted(([a], [b]) => a.localeCompare(b)),
  );
}

/** Jest takes the ES modules of the package only after transforming them. */
function letJestTransform({ jest }: ApplicationManifest): void {
  if (jest)
    jest['transformIgnorePatterns'] ??= ['/node_modules/(?!nestjs-agui/)'];
}

function packageManagerOf(tree: Tree): string {
  const lockFile = Object.entries(LOCK_FILES).find(([file]) =>
    tree.exists(file),
  );
  return lockFile?.[1] ?? 'npm';
}
