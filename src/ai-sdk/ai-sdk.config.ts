import { inspect } from 'node:util';
import { readYaml } from '../yaml-configuration.js';
import { AguiConfigurationError } from '../agui-properties.parser.js';
import type { AiSdkAgentOptions } from './ai-sdk-agent-options.js';

type Configured = Pick<AiSdkAgentOptions, 'shareState' | 'stateUpdates'>;
type Section = Readonly<Record<string, unknown>>;

/** Where the options may stand, the strongest last: in YAML, and in the environment. */
const SECTIONS = ['ag-ui.spring-ai', 'agui.ai-sdk'] as const;
const VARIABLES = ['AG_UI_SPRING_AI_', 'AGUI_AI_SDK_'] as const;

/** What an option may be, and what it then is in code. */
const OPTIONS: Readonly<
  Record<string, (value: string) => Configured | undefined>
> = {
  'share-state': (value) =>
    /^(true|false)$/.test(value) ? { shareState: value === 'true' } : undefined,
  'state-updates': (value) =>
    value === 'SNAPSHOT' || value === 'DELTA'
      ? { stateUpdates: value }
      : undefined,
};

/**
 * The options of an {@link AiSdkAgent} that configuration may set: `share-state` and `state-updates`,
 * under `agui.ai-sdk` or `ag-ui.spring-ai`; in the environment `AGUI_AI_SDK_SHARE_STATE`.
 *
 * @param file the YAML file, instead of the one that is looked for.
 * @throws AguiConfigurationError for an unknown key or a wrong value.
 */
export function aiSdkConfig(file?: string): Configured {
  const document = readYaml(file);
  let configured: Configured = {};
  for (const section of SECTIONS)
    for (const [key, value] of Object.entries(sectionAt(document, section)))
      configured = {
        ...configured,
        ...checked(key, value, `${section}.${key}`),
      };
  for (const prefix of VARIABLES)
    for (const [name, value] of Object.entries(process.env))
      if (name.startsWith(prefix)) {
        const key = name
          .slice(prefix.length)
          .toLowerCase()
          .replaceAll('_', '-');
        configured = { ...configured, ...checked(key, value, name) };
      }
  return configured;
}

function sectionAt(document: unknown, path: string): Section {
  let section = document;
  for (const key of path.split('.'))
    section = (section as Section | null | undefined)?.[key];
  return (section ?? {}) as Section;
}

function checked(key: string, value: unknown, name: string): Configured {
  const option = Object.hasOwn(OPTIONS, key) ? OPTIONS[key] : undefined;
  const configured = option?.(String(value));
  if (configured !== undefined) return configured;
  throw new AguiConfigurationError([
    `"${name}" is ${inspect(value)}; allowed: share-state true or false, state-updates SNAPSHOT or DELTA.`,
  ]);
}
