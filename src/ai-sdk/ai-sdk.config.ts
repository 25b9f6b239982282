import { readYaml } from '../agui.config.js';
import { AguiConfigurationError } from '../agui-properties.parser.js';
import type { AiSdkAgentOptions } from './ai-sdk-agent-options.js';

type Configured = Pick<AiSdkAgentOptions, 'shareState' | 'stateUpdates'>;
type Section = Readonly<Record<string, unknown>>;

/** Where the options may stand, the strongest last: in YAML, and in the environment. */
const SECTIONS = [
  ['ag-ui', 'spring-ai'],
  ['agui', 'ai-sdk'],
] as const;
const VARIABLES = ['AG_UI_SPRING_AI_', 'AGUI_AI_SDK_'] as const;

/**
 * The options of an {@link AiSdkAgent} that configuration may set: `share-state` and `state-updates`,
 * under `agui.ai-sdk` or the seed's `ag-ui.spring-ai`; in the environment `AGUI_AI_SDK_SHARE_STATE`.
 *
 * @throws AguiConfigurationError for an unknown key or a wrong value.
 */
export function aiSdkConfig(): Configured {
  const document = readYaml();
  const found: Record<string, unknown> = {};
  for (const path of SECTIONS)
    for (const [key, value] of Object.entries(sectionAt(document, path)))
      found[key] = value;
  for (const prefix of VARIABLES)
    for (const [name, value] of Object.entries(process.env))
      if (name.startsWith(prefix))
        found[name.slice(prefix.length).toLowerCase().replaceAll('_', '-')] =
          value;
  return checked(found);
}

function sectionAt(document: unknown, path: readonly string[]): Section {
  let section = document;
  for (const key of path) section = (section as Section | undefined)?.[key];
  return (section ?? {}) as Section;
}

function checked(found: Section): Configured {
  const configured: Configured = {};
  for (const [key, value] of Object.entries(found)) {
    const text = String(value);
    if (key === 'share-state' && /^(true|false)$/.test(text))
      configured.shareState = text === 'true';
    else if (key === 'state-updates' && /^(SNAPSHOT|DELTA)$/.test(text))
      configured.stateUpdates = text as Configured['stateUpdates'];
    else
      throw new AguiConfigurationError([
        `"agui.ai-sdk.${key}" is ${JSON.stringify(value)}; allowed: share-state true or false, state-updates SNAPSHOT or DELTA.`,
      ]);
  }
  return configured;
}
