import { MetadataManager } from '@nestjs/schematics';
import ts from 'typescript';

/** What is added to a module: an element of a list in its decorator, and the import of the name in it. */
export interface Declaration {
  list: 'imports' | 'providers';
  /** The element, such as `AguiModule.forRoot()`. */
  element: string;
  symbol: string;
  from: string;
}

/**
 * The module's source with the declaration, or as it is if it imports the symbol already.
 * @throws Error if the source has no module decorator with such a list, or one to which nothing can be added
 */
export function declareInModule(
  source: string,
  { list, element, symbol, from }: Declaration,
): string {
  const imports = ts
    .createSourceFile('', source, ts.ScriptTarget.Latest)
    .statements.filter(ts.isImportDeclaration);
  const isImported = imports.some(({ pos, end }) =>
    new RegExp(`\\b${symbol}\\b`).test(source.slice(pos, end)),
  );
  if (isImported) return source;

  const end = imports.at(-1)?.end ?? 0;
  const imported = `import { ${symbol} } from '${from}';`;
  const withImport = `${source.slice(0, end)}${end ? `\n${imported}` : `${imported}\n`}${source.slice(end)}`;
  const declared = new MetadataManager(withImport).insert(list, element);
  if (declared === undefined || declared === withImport)
    throw new Error(`its decorator has no list of ${list} to add to`);
  return declared;
}
