import { jsonSchema, tool, type Tool } from 'ai';
import { isPlainObject } from '../adapter/tool-arguments.js';
import type { AiSdkAgentOptions } from './ai-sdk-agent-options.js';
import type { Emit } from './run-tools.js';

/** The tool by which the model changes the shared state; its calls are never seen as tool calls. */
export const UPDATE_STATE = 'update_state';

/** The shared state of one run (Spring AI: "Shared state"). */
export class RunState {
  constructor(
    private value: unknown,
    private readonly options: AiSdkAgentOptions,
    private readonly emit: Emit,
  ) {}

  /** Tells the client what the run starts from. */
  announce(): void {
    this.emit({ type: 'STATE_UPDATE', state: this.value, mode: 'SNAPSHOT' });
  }

  /** The state in words; undefined if the model is not to see it. */
  prompt(): string | undefined {
    const { statePrompt } = this.options;
    const prompt =
      statePrompt === undefined
        ? `The state that you share with the user is this JSON:\n${JSON.stringify(this.value)}\nTo change it, call ${UPDATE_STATE} with the complete new state.`
        : statePrompt(this.value);
    return prompt?.trim() ? prompt : undefined;
  }

  tool(): Tool {
    return tool({
      description: 'Replaces the state that is shared with the user.',
      inputSchema: jsonSchema<{ state: unknown }>(
        {
          type: 'object',
          properties: { state: { description: 'The complete new state' } },
          required: ['state'],
        },
        { validate: hasState },
      ),
      execute: ({ state }) => {
        this.value = state;
        const mode = this.options.stateUpdates ?? 'SNAPSHOT';
        this.emit({ type: 'STATE_UPDATE', state, mode });
        return 'The state is updated.';
      },
    }) as Tool;
  }
}

/** A model that forgets the member would otherwise clear the state. */
function hasState(value: unknown) {
  return isPlainObject(value) && value['state'] !== undefined
    ? { success: true as const, value: value as { state: unknown } }
    : {
        success: false as const,
        error: new Error('The complete new state must be given as "state".'),
      };
}
