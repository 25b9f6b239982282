import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { inspect } from 'node:util';
import { parse } from 'yaml';
import {
  AguiConfigurationError,
  camelOf,
  kebabOf,
  PROPERTY_NAMES,
} from './agui-properties.parser.js';

/** The environment variable that names the YAML file. */
export const CONFIG_FILE_VARIABLE = 'AGUI_CONFIG_FILE';

/** Options of another entry of this package, which reads them itself. */
const FOREIGN_SECTION = 'ai-sdk';
const DEFAULT_FILES = ['application.yaml', 'application.yml'];

/** Options as configuration gives them: property names, values not yet checked. */
export type RawAguiProperties = Record<string, unknown>;

type Mapping = Readonly<Record<string, unknown>>;

/** The file that is looked for; undefined if there is none. */
export function configuredFile(): string | undefined {
  return (
    process.env[CONFIG_FILE_VARIABLE] ||
    DEFAULT_FILES.find((name) => existsSync(resolve(name)))
  );
}

/** The YAML file's content; undefined if there is no file. @param file instead of the one that is looked for. */
export function readYaml(file = configuredFile()): unknown {
  return file === undefined ? undefined : parseFile(file);
}

/**
 * The options in a YAML file: those under `agui` over those under `agentscope.agui`.
 *
 * @throws AguiConfigurationError for what cannot be read, or would be read by nobody.
 */
export function fromYaml(file: string | undefined): RawAguiProperties {
  if (file === undefined) return {};
  const document = mappingOf(parseFile(file), file);
  const starter = document['agentscope'] ?? {};
  refuseMisnamed(document, ['agui', 'agentscope'], '', file);
  refuseMisnamed(starter, ['agui'], 'agentscope.', file);
  return {
    ...optionsIn((starter as Mapping)['agui'], 'agentscope.agui', file),
    ...optionsIn(document['agui'], 'agui', file),
  };
}

function mappingOf(document: unknown, file: string): Mapping {
  if (document === undefined || document === null) return {};
  if (isMapping(document)) return document;
  throw new AguiConfigurationError([
    `The file ${file} must have a mapping with a section "agui"; it has ${inspect(document)}.`,
  ]);
}

/** What is nearly a section's name is one that was meant; applications may have any others. */
function refuseMisnamed(
  section: unknown,
  names: readonly string[],
  path: string,
  file: string,
): void {
  const misnamed = Object.keys(isMapping(section) ? section : {}).filter(
    (key) =>
      !names.includes(key) &&
      names.includes(key.toLowerCase().split('.', 1)[0]!),
  );
  if (misnamed.length > 0)
    throw new AguiConfigurationError(
      misnamed.map(
        (key) =>
          `"${path}${key}" in ${file} is read by nobody. Options stand in a section, one below the other: ${path}${names[0]}:, and in it path-prefix: and so on.`,
      ),
    );
}

function optionsIn(
  section: unknown,
  name: string,
  file: string,
): RawAguiProperties {
  if (section === undefined || section === null) return {};
  if (!isMapping(section))
    throw new AguiConfigurationError([
      `"${name}" in ${file} must be a mapping of options; it is ${inspect(section)}.`,
    ]);
  const options = Object.entries(section).filter(
    ([key]) => key !== FOREIGN_SECTION,
  );
  const keys = options.map(([key]) => key);
  const problems = [
    ...keys
      .filter((key) => !PROPERTY_NAMES.includes(camelOf(key)))
      .map(
        (key) =>
          `"${key}" in ${file} is no option. The options are ${PROPERTY_NAMES.map(kebabOf).join(', ')}.`,
      ),
    ...keys
      .filter((key) => keys.includes(camelOf(key)) && camelOf(key) !== key)
      .map(
        (key) =>
          `"${key}" and "${camelOf(key)}" in ${file} are one option; give it once.`,
      ),
    ...options
      .filter(([, value]) => containsItself(value))
      .map(([key]) => `"${key}" in ${file} contains itself, by an alias.`),
  ];
  if (problems.length > 0) throw new AguiConfigurationError(problems);
  return Object.fromEntries(
    options.map(([key, value]) => [camelOf(key), value]),
  );
}

function isMapping(value: unknown): value is Mapping {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function containsItself(value: unknown): boolean {
  try {
    JSON.stringify(value);
    return false;
  } catch {
    return true;
  }
}

function parseFile(file: string): unknown {
  try {
    return parse(readFileSync(resolve(file), 'utf8'));
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    throw new AguiConfigurationError([
      code === 'MULTIPLE_DOCS'
        ? `The file ${file} has several YAML documents; keep the options in a file of one document, and name it in ${CONFIG_FILE_VARIABLE}.`
        : `The file ${file} cannot be read: ${message}`,
    ]);
  }
}
