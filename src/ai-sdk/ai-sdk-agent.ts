import { randomUUID } from 'node:crypto';
import type { AgentCapabilities } from '@ag-ui/core';
import type { Tool } from 'ai';
import type { Agent } from '../agent/agent.js';
import type { AgentEvent } from '../agent/agent-event.js';
import type { Msg } from '../agent/msg.js';
import type { RuntimeContext } from '../agent/runtime-context.js';
import { Toolkit } from '../agent/toolkit.js';
import type { AiSdkAgentOptions } from './ai-sdk-agent-options.js';
import { subagentTool, type SubagentToolOptions } from './subagent-tool.js';
import { AiSdkReply } from './ai-sdk-reply.js';
import { SubagentCall } from './subagent-call.js';

/**
 * An agent made of an AI SDK language model and tools (Spring AI: `SpringAiAgent`).
 *
 * @example
 * ```ts
 * new AiSdkAgent({ model: openai('gpt-5'), system: 'You are brief.', tools: { weather } });
 * ```
 */
export class AiSdkAgent implements Agent {
  readonly toolkit: Toolkit;

  constructor(readonly options: AiSdkAgentOptions) {
    this.toolkit = new Toolkit(
      Object.entries(options.tools ?? {}).map(([name, { description }]) => ({
        name,
        description,
      })),
    );
  }

  streamEvents(
    messages: Msg[],
    context: RuntimeContext,
  ): AsyncIterable<AgentEvent> {
    const { messageIdGenerator: newId = randomUUID } = this.options;
    return new AiSdkReply(this.options, context, newId).events([
      ...historyIn(context),
      ...messages,
    ]);
  }

  /**
   * This agent as a tool of another one, which hands it tasks. Its events have a `source` and reach
   * the client as `subagent-events` says; if it fails, the tool has failed and not the run.
   */
  asTool(options: SubagentToolOptions): Tool<{ task: string }, string> {
    return subagentTool(this, options);
  }

  getCapabilities(): AgentCapabilities {
    const { options } = this;
    return {
      tools: {
        supported: true,
        clientProvided: true,
        parallelCalls: true,
        items: this.toolkit
          .list()
          .map(({ name, description = '' }) => ({ name, description })),
      },
      state: {
        snapshots: options.shareState === true,
        deltas: options.shareState === true && options.stateUpdates === 'DELTA',
      },
      reasoning: { supported: true, streaming: true, encrypted: true },
      humanInTheLoop: {
        interrupts: true,
        approvals: true,
        approveWithEdits: true,
      },
    };
  }
}

/** What the server keeps of the thread; a subagent has no part in it. */
function historyIn(context: RuntimeContext): readonly Msg[] {
  if (context.get(SubagentCall) !== undefined) return [];
  return context.get('agui.history') ?? [];
}
