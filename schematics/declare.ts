import type { Rule } from '@angular-devkit/schematics';
import { declareInModule, type Declaration } from './module-source.js';

/** Adds a declaration to the module in a file; where that cannot be done, the user is told what to add. */
export function declare(file: string | null, declaration: Declaration): Rule {
  return (tree, { logger }) => {
    const { list, element, symbol, from } = declaration;
    try {
      if (file === null) throw new Error('there is none');
      tree.overwrite(file, declareInModule(tree.readText(file), declaration));
    } catch (error) {
      logger.warn(
        `Add ${element} to the ${list} of a module, with import { ${symbol} } from '${from}': ` +
          `the module ${file ?? 'of the application'} was left as it is, since ${(error as Error).message}.`,
      );
    }
  };
}
