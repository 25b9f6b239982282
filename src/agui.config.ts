import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { inspect } from 'node:util';
import { registerAs } from '@nestjs/config';
import { parse } from 'yaml';
import {
  AguiConfigurationError,
  camelOf,
  environmentNameOf,
  kebabOf,
  PROPERTY_NAMES,
} from './agui-properties.parser.js';

/** The environment variable that names the YAML file. */
export const CONFIG_FILE_VARIABLE = 'AGUI_CONFIG_FILE';

/** Options of other entries of this package, which read them themselves. */
const FOREIGN_SECTION = 'ai-sdk';
const FOREIGN_VARIABLES = 'AI_SDK_';
const DEFAULT_FILES = ['application.yaml', 'application.yml'];
const PREFIXES = ['AGENTSCOPE_AGUI_', 'AGUI_'];
/** What Kubernetes and Docker say of a service that is called `agui` or `agui-…`. */
const SERVICE_LINK =
  /(^|_)(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT(_\d+_(TCP|UDP|SCTP)(_\w+)?)?)$/;

/** Options as configuration gives them: property names, values not yet checked. */
export type RawAguiProperties = Record<string, unknown>;

/**
 * The module's configuration from outside the code, for `@nestjs/config`: what the environment says
 * (`AGUI_…`, or `AGENTSCOPE_AGUI_…`) over what the YAML file says (`agui:`, or `agentscope.agui:`).
 * The file is `AGUI_CONFIG_FILE`, else `application.yaml` or `application.yml` where the process
 * was started. `AguiModule` reads it by itself; it is exported for applications that want to look.
 *
 * @throws AguiConfigurationError if the file cannot be read, or names options there are not.
 */
export const aguiConfig = registerAs('agui', () => readConfiguration());

/** @param file the YAML file, instead of the one that is looked for. */
export function readConfiguration(file?: string): RawAguiProperties {
  return { ...fromYaml(file ?? configuredFile()), ...fromEnvironment() };
}

/** The YAML file's content; undefined if there is no file. @param file instead of the one that is looked for. */
export function readYaml(file = configuredFile()): unknown {
  return file === undefined ? undefined : parseFile(file);
}

function configuredFile(): string | undefined {
  return (
    process.env[CONFIG_FILE_VARIABLE] ||
    DEFAULT_FILES.find((name) => existsSync(resolve(name)))
  );
}

function fromYaml(file: string | undefined): RawAguiProperties {
  if (file === undefined) return {};
  const document = parseFile(file) as {
    agui?: unknown;
    agentscope?: { agui?: unknown } | null;
  } | null;
  return {
    ...optionsIn(document?.agentscope?.agui, 'agentscope.agui', file),
    ...optionsIn(document?.agui, 'agui', file),
  };
}

function optionsIn(
  section: unknown,
  name: string,
  file: string,
): RawAguiProperties {
  if (section === undefined || section === null) return {};
  if (typeof section !== 'object' || Array.isArray(section))
    throw new AguiConfigurationError([
      `"${name}" in ${file} must be a mapping of options; it is ${inspect(section)}.`,
    ]);
  const options = Object.entries(section).filter(
    ([key]) => key !== FOREIGN_SECTION,
  );
  const unknown = options
    .map(([key]) => key)
    .filter((key) => !PROPERTY_NAMES.includes(camelOf(key)));
  if (unknown.length > 0)
    throw new AguiConfigurationError(
      unknown.map(
        (key) =>
          `"${key}" in ${file} is no option. The options are ${PROPERTY_NAMES.map(kebabOf).join(', ')}.`,
      ),
    );
  return Object.fromEntries(
    options.map(([key, value]) => [camelOf(key), value as unknown]),
  );
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

function fromEnvironment(): RawAguiProperties {
  const names = new Map(
    PROPERTY_NAMES.map((name) => [
      environmentNameOf(name).slice('AGUI_'.length),
      name,
    ]),
  );
  const found: RawAguiProperties = {};
  for (const prefix of PREFIXES)
    for (const [variable, value] of Object.entries(process.env)) {
      if (!variable.startsWith(prefix) || variable === CONFIG_FILE_VARIABLE)
        continue;
      const rest = variable.slice(prefix.length);
      const name = names.get(rest);
      if (name === undefined) {
        if (rest.startsWith(FOREIGN_VARIABLES) || SERVICE_LINK.test(rest))
          continue;
        throw new AguiConfigurationError([
          `The environment variable ${variable} is no option. The options are ${[...names.keys()].map((key) => `AGUI_${key}`).join(', ')}.`,
        ]);
      }
      found[name] = value;
    }
  return found;
}
