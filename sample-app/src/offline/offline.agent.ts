import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Agent,
  type AgentEvent,
  type AgentTool,
  type Msg,
  type RuntimeContext,
  type ToolResultBlock,
  type Toolkit,
  type ToolUseBlock,
} from 'nestjs-agui';
import { planTurn } from './plan-turn.js';
import type { Turn } from './turn.js';

/**
 * An agent that needs no model: it thinks, calls tools and answers by rules, word by word, as an
 * agent with a model would. `SAMPLE_TOKEN_DELAY` is its pace in milliseconds per word.
 */
export abstract class OfflineAgent implements Agent {
  readonly toolkit?: Toolkit;

  async *streamEvents(
    messages: Msg[],
    context: RuntimeContext,
  ): AsyncGenerator<AgentEvent> {
    const replyId = randomUUID();
    const history = [...messages];
    yield { type: 'AGENT_START', replyId, name: this.constructor.name };
    for (;;) {
      const turn = planTurn(history, (name) => context.toolkit.get(name));
      yield { type: 'MODEL_CALL_START', replyId };
      yield* think(turn, replyId, context);
      yield* say(turn, replyId, context);
      const calls = toolUsesOf(turn);
      for (const call of calls) yield* announce(call, replyId, context);
      yield modelCallEnd(turn, history, replyId);
      history.push({ id: randomUUID(), role: 'assistant', content: calls });
      const own = calls.filter(
        ({ name }) => !context.toolkit.get(name)?.frontend,
      );
      for (const call of own) {
        const result = await execute(call, context);
        yield* report(result, replyId);
        history.push({ id: randomUUID(), role: 'tool', content: [result] });
      }
      // The front end answers its own calls in the next run.
      if (own.length < calls.length || calls.length === 0) break;
    }
    yield { type: 'AGENT_END', replyId };
  }
}

async function* think(
  { thinking }: Turn,
  replyId: string,
  context: RuntimeContext,
): AsyncGenerator<AgentEvent> {
  if (thinking === undefined) return;
  const blockId = randomUUID();
  yield { type: 'THINKING_BLOCK_START', replyId, blockId };
  for await (const delta of words(thinking, context))
    yield { type: 'THINKING_BLOCK_DELTA', replyId, blockId, delta };
  yield { type: 'THINKING_BLOCK_END', replyId, blockId };
}

async function* say(
  { text }: Turn,
  replyId: string,
  context: RuntimeContext,
): AsyncGenerator<AgentEvent> {
  if (text === undefined) return;
  const blockId = randomUUID();
  yield { type: 'TEXT_BLOCK_START', replyId, blockId };
  for await (const delta of words(text, context))
    yield { type: 'TEXT_BLOCK_DELTA', replyId, blockId, delta };
  yield { type: 'TEXT_BLOCK_END', replyId, blockId };
}

async function* announce(
  call: ToolUseBlock,
  replyId: string,
  context: RuntimeContext,
): AsyncGenerator<AgentEvent> {
  const named = { replyId, toolCallId: call.id, toolCallName: call.name };
  yield { type: 'TOOL_CALL_START', ...named };
  for await (const delta of words(call.content, context))
    yield { type: 'TOOL_CALL_DELTA', ...named, delta };
  yield { type: 'TOOL_CALL_END', ...named };
}

async function execute(
  call: ToolUseBlock,
  context: RuntimeContext,
): Promise<ToolResultBlock> {
  const tool: AgentTool | undefined = context.toolkit.get(call.name);
  const result = (text: string, state: 'success' | 'error') => ({
    type: 'tool_result' as const,
    id: call.id,
    name: call.name,
    output: [{ type: 'text' as const, text }],
    state,
  });
  try {
    const value = await tool?.execute?.(call.input, context);
    return result(JSON.stringify(value), 'success');
  } catch (error) {
    return result((error as Error).message, 'error');
  }
}

function* report(
  { id, name, output, state }: ToolResultBlock,
  replyId: string,
): Generator<AgentEvent> {
  const named = { replyId, toolCallId: id, toolCallName: name };
  yield { type: 'CUSTOM', name: 'step-started', value: name };
  yield { type: 'TOOL_RESULT_START', ...named };
  for (const data of output)
    yield { type: 'TOOL_RESULT_DATA_DELTA', ...named, data };
  yield { type: 'TOOL_RESULT_END', ...named, state };
  yield { type: 'CUSTOM', name: 'step-finished', value: name };
}

function toolUsesOf({ calls = [] }: Turn): ToolUseBlock[] {
  return calls.map(({ name, args }) => ({
    type: 'tool_use',
    id: `call-${randomUUID()}`,
    name,
    input: args,
    content: JSON.stringify(args),
  }));
}

function modelCallEnd(
  { thinking = '', text = '', calls = [] }: Turn,
  history: readonly Msg[],
  replyId: string,
): AgentEvent {
  const tokens = (value: string) => value.split(/\s+/).filter(Boolean).length;
  return {
    type: 'MODEL_CALL_END',
    replyId,
    provider: 'sample',
    model: 'offline',
    usage: {
      inputTokens: tokens(JSON.stringify(history)),
      outputTokens: tokens(thinking) + tokens(text) + calls.length,
      reasoningTokens: tokens(thinking),
    },
  };
}

/** The words of a text at the sample's pace, until the run is stopped. */
async function* words(
  text: string,
  { signal }: RuntimeContext,
): AsyncGenerator<string> {
  const delay = Number(process.env['SAMPLE_TOKEN_DELAY'] ?? 20);
  for (const word of text.match(/\s*\S+\s*$|\s*\S+/g) ?? []) {
    if (delay > 0) await sleep(delay, undefined, { signal });
    yield word;
  }
}
