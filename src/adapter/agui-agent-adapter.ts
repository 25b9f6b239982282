import type { Message, ResumeEntry, RunAgentInput } from '@ag-ui/core';
import { Logger } from '@nestjs/common';
import { isAgent, type Agent, type AnyAgent } from '../agent/agent.js';
import { RuntimeContext } from '../agent/runtime-context.js';
import { Toolkit } from '../agent/toolkit.js';
import type { AguiEvent } from '../protocol/agui-event.js';
import {
  completeConfig,
  type AguiAdapterConfig,
  type FullAdapterConfig,
} from './agui-adapter-config.js';
import { AguiMessageConverter } from './agui-message-converter.js';
import { AguiRun } from './agui-run.js';
import { HandedOver } from './handed-over.js';
import { protocolAgentSource } from './protocol-agent-source.js';
import { toAgentTool } from './agui-tool-converter.js';
import { resumeMessages, withoutEchoes } from './resume-converter.js';
import type { RunSource } from './run-source.js';

/**
 * Puts one agent behind AG-UI, with or without NestJS (AgentScope: "Quickstart"): it converts the input,
 * asks the agent, and converts what the agent says into a legal AG-UI stream.
 *
 * @example
 * ```ts
 * const adapter = new AguiAgentAdapter(agent, { enableReasoning: true });
 * for await (const event of adapter.run(input)) send(event);
 * ```
 */
export class AguiAgentAdapter {
  private readonly config: FullAdapterConfig;
  private readonly messages = new AguiMessageConverter();
  private readonly logger = new Logger(AguiAgentAdapter.name);

  constructor(
    readonly agent: AnyAgent,
    config: AguiAdapterConfig = {},
  ) {
    this.config = completeConfig(config);
  }

  /**
   * The events of one run. The agent is asked when the first one is; stopping early stops the agent.
   * Errors are in the stream, as `RUN_ERROR`.
   *
   * @param context what the caller knows; `sessionId`, `toolkit` and the `agui.*` entries are set
   * from the input. Aborting its signal cancels the run.
   */
  run(
    input: RunAgentInput,
    context: RuntimeContext = new RuntimeContext(),
  ): AsyncIterable<AguiEvent> {
    return new AguiRun(
      input,
      this.runContext(input, context),
      isAgent(this.agent)
        ? this.sourceOf(this.agent, input)
        : protocolAgentSource(this.agent, input),
      this.config,
      this.logger,
    );
  }

  private sourceOf(agent: Agent, input: RunAgentInput): RunSource {
    return {
      speaks: 'agent-events',
      open: (context) => {
        const interrupts = context.get('agui.resume.interrupts') ?? [];
        const toMsgs = (messages: readonly Message[]) =>
          this.messages.toMsgs(
            withoutEchoes(messages, interrupts).filter(isOwn),
          );
        const { handed, history } = handedOver(input, context);
        if (history !== undefined) context.put('agui.history', toMsgs(history));
        return agent.streamEvents(
          [
            ...toMsgs(handed),
            ...resumeMessages(input.resume ?? [], interrupts),
          ],
          context,
        );
      },
      interrupt: (context) => agent.interrupt?.(context),
    };
  }

  private runContext(
    input: RunAgentInput,
    caller: RuntimeContext,
  ): RuntimeContext {
    const own = (isAgent(this.agent) && this.agent.toolkit) || new Toolkit();
    return caller.with({
      sessionId: input.threadId,
      toolkit: own.forRun(
        input.tools.map(toAgentTool),
        this.config.defaultToolMergeMode,
      ),
      entries: {
        'agui.input': input,
        'agui.threadId': input.threadId,
        'agui.runId': input.runId,
        'agui.messages': input.messages,
        'agui.tools': input.tools,
        'agui.context': input.context,
        'agui.state': input.state,
        'agui.forwardedProps': input.forwardedProps,
        'agui.resume': input.resume,
        'agui.resume.interrupts': answered(
          caller.get('agui.resume.interrupts') ?? [],
          input.resume ?? [],
        ),
      },
    });
  }
}

/** The messages that the agent is handed; the others, if the server keeps the thread. */
function handedOver(
  { messages }: RunAgentInput,
  context: RuntimeContext,
): { handed: readonly Message[]; history?: Message[] } {
  const handed = context.get(HandedOver)?.messages;
  if (handed === undefined) return { handed: messages };
  const given = new Set(handed);
  return { handed, history: messages.filter((one) => !given.has(one)) };
}

function answered<T extends { id: string }>(
  recorded: readonly T[],
  resume: readonly ResumeEntry[],
): T[] {
  const ids = new Set(resume.map(({ interruptId }) => interruptId));
  return recorded.filter(({ id }) => ids.has(id));
}

/** What a subagent said is its own conversation; the agent has heard of it by the tool's result. */
function isOwn({ subagentRunId }: Message): boolean {
  return subagentRunId === undefined;
}
