import { textOf, type Msg } from '../agent/msg.js';
import type { RuntimeContext } from '../agent/runtime-context.js';
import type { AiSdkAgentOptions } from './ai-sdk-agent-options.js';

/**
 * What the model is told before the conversation: the agent's own instructions, the client's if they
 * are believed, what the application gives as context, and the shared state.
 */
export function instructionsOf(
  options: AiSdkAgentOptions,
  msgs: readonly Msg[],
  context: RuntimeContext,
  statePrompt: string | undefined,
): string | undefined {
  const { system } = options;
  const own = typeof system === 'function' ? system(context) : system;
  const clients = options.trustClientInstructions
    ? msgs.filter(({ role }) => role === 'system').map(textOf)
    : [];
  const parts = [own, ...clients, contextPrompt(context), statePrompt];
  const text = parts.filter((part) => part?.trim()).join('\n\n');
  return text === '' ? undefined : text;
}

function contextPrompt(context: RuntimeContext): string | undefined {
  const entries = context.get('agui.context') ?? [];
  if (entries.length === 0) return undefined;
  return [
    'The application gives this context:',
    ...entries.map(({ description, value }) => `- ${description}: ${value}`),
  ].join('\n');
}
