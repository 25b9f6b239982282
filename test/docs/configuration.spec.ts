import { readFileSync } from 'node:fs';
import { getMetadataStorage } from 'class-validator';
import { format } from 'prettier';
import ts from 'typescript';
import { AguiProperties } from 'nestjs-agui';
import { describe, expect, it } from 'vitest';
import { kebabOf, PROPERTY_NAMES } from '../../src/agui-properties.parser.js';

const SOURCE = 'src/agui.properties.ts';
const PAGE = 'docs/configuration.md';
const TABLE = /(<!-- options -->)[^]*(<!-- end of options -->)/;
/** Said once above the table. */
const UNITS =
  /, in (milliseconds or as a duration|bytes or as a size)(?=[;.,])/;

/** What each property's docstring says, in one line. */
function effects(): Map<string, string> {
  const source = ts.createSourceFile(
    SOURCE,
    readFileSync(SOURCE, 'utf8'),
    ts.ScriptTarget.Latest,
    true,
  );
  const { members } = source.statements
    .filter(ts.isClassDeclaration)
    .find(({ name }) => name?.text === 'AguiProperties')!;
  return new Map(
    members.filter(ts.isPropertyDeclaration).map((member) => {
      const [comment] = ts.getJSDocCommentsAndTags(member);
      const text = ts.getTextOfJSDocComment(comment?.comment) ?? '';
      return [
        (member.name as ts.Identifier).text,
        text.replace(/\s+/g, ' ').replace(UNITS, ''),
      ];
    }),
  );
}

/** What a property may be, as its validators say. */
function allowed(): Map<string, string> {
  return new Map(
    getMetadataStorage()
      .getTargetValidationMetadatas(AguiProperties, '', false, false)
      .map(({ propertyName, message }) => [propertyName, String(message)]),
  );
}

/** A default, as one would write it. */
function written(value: unknown, values: string): string {
  if (values.includes('duration')) return durationOf(value as number);
  if (values.includes('bytes')) return sizeOf(value as number);
  return Array.isArray(value) ? value.join(', ') : String(value);
}

function durationOf(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  return seconds % 60 === 0 ? `${seconds / 60}m` : `${seconds}s`;
}

function sizeOf(bytes: number): string {
  return `${bytes / 1024 ** 2}mb`;
}

async function pageAsItShouldBe(page: string): Promise<string> {
  const said = effects();
  const values = allowed();
  const defaults = new Map<string, unknown>(
    Object.entries(new AguiProperties()),
  );
  const rows = PROPERTY_NAMES.map((name) => {
    const may = values.get(name)!;
    const value = written(defaults.get(name), may);
    return `| \`${kebabOf(name)}\` | \`${value}\` | ${may} | ${said.get(name)} |`;
  });
  const table = [
    '| option | default | value | effect |',
    '| --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
  return format(page.replace(TABLE, `$1\n\n${table}\n\n$2`), {
    parser: 'markdown',
    singleQuote: true,
  });
}

describe('docs/configuration.md', () => {
  it('should say what AguiProperties says; `npm run docs` writes it', async () => {
    const page = await pageAsItShouldBe(readFileSync(PAGE, 'utf8'));
    await expect(page).toMatchFileSnapshot(`../../${PAGE}`);
  });
});
