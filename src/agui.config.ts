import { registerAs } from '@nestjs/config';
import {
  AguiConfigurationError,
  environmentNameOf,
  PROPERTY_NAMES,
} from './agui-properties.parser.js';
import {
  CONFIG_FILE_VARIABLE,
  configuredFile,
  fromYaml,
  type RawAguiProperties,
} from './yaml-configuration.js';

/** Options of other entries of this package, which read them themselves. */
const FOREIGN_VARIABLES = 'AI_SDK_';
const PREFIXES = ['AGENTSCOPE_AGUI_', 'AGUI_'];
/** What Kubernetes and Docker say of a service that is called `agui` or `agui-…`. */
const SERVICE_LINK =
  /(^|_)(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT(_\d+_(TCP|UDP|SCTP)(_\w+)?)?)$/;

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
