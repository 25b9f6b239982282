import { posix } from 'node:path';
import {
  apply,
  applyTemplates,
  chain,
  filter,
  mergeWith,
  move,
  noop,
  SchematicsException,
  strings,
  url,
  type Rule,
} from '@angular-devkit/schematics';
import {
  formatFiles,
  ModuleFinder,
  normalizeToKebabOrSnakeCase,
} from '@nestjs/schematics';
import { readManifest } from '../application-manifest.js';
import { declare } from '../declare.js';

/** What `nest g -c nestjs-agui agent` was called with; see `schema.json`. */
export interface AgentOptions {
  name: string;
  path?: string;
  sourceRoot: string;
  language: string;
  flat: boolean;
  spec: boolean;
  specFileSuffix: string;
  skipImport: boolean;
  format: boolean;
}

/** Generates an agent with its spec, and declares it in the nearest module. */
export function agent(options: AgentOptions): Rule {
  if (options.language !== 'ts')
    throw new SchematicsException(
      `An agent is generated in TypeScript only, not in "${options.language}".`,
    );
  const { name, folder } = placeOf(options);
  const className = `${strings.classify(name)}Agent`;
  return (tree) => {
    const extension = readManifest(tree).type === 'module' ? '.js' : '';
    const module = new ModuleFinder(tree).find(tree.getDir(folder));
    const file = posix.relative(
      posix.dirname(module ?? '/'),
      `${folder}/${name}.agent${extension}`,
    );
    return chain([
      mergeWith(
        apply(url('./files'), [
          options.spec ? noop() : filter((path) => !path.includes('__spec')),
          applyTemplates({ ...options, name, className, extension }),
          move(folder),
        ]),
      ),
      options.skipImport
        ? noop()
        : declare(module, {
            list: 'providers',
            element: className,
            symbol: className,
            from: `./${file}`,
          }),
      options.format ? formatFiles() : noop(),
    ]);
  };
}

/** As `nest g service` has it: a name may bring folders, and has one of its own unless it is to be flat. */
function placeOf({ name: given, path = '', sourceRoot, flat }: AgentOptions): {
  name: string;
  folder: string;
} {
  const place = normalizeToKebabOrSnakeCase(posix.join(path, given));
  const name = posix.basename(place);
  return {
    name,
    folder: posix.join('/', sourceRoot, flat ? posix.dirname(place) : place),
  };
}
