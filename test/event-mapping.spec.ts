import { afterEach, describe, expect, it } from 'vitest';
import type { AgentEvent, AguiModuleOptions } from 'nestjs-agui';
import { agentOf, reply } from './support/agents.js';
import { closeApps, PLATFORMS, serve } from './support/app.js';
import { inputOf, run, type Received } from './support/client.js';
import { answer, ask, resume } from './support/interrupting.js';
import { outlineOf } from './support/model-run.js';

afterEach(closeApps);

const LOOK = { replyId: 'r', toolCallId: 'c1', toolCallName: 'look' };
const USAGE = { inputTokens: 3, outputTokens: 2 };
const TOTAL = { ...USAGE, totalTokens: 5 };

const CALL: AgentEvent[] = [
  { type: 'TOOL_CALL_START', ...LOOK },
  { type: 'TOOL_CALL_DELTA', ...LOOK, delta: '{"a":' },
  { type: 'TOOL_CALL_DELTA', ...LOOK, delta: '1}' },
  { type: 'TOOL_CALL_END', ...LOOK },
];
const RESULT: AgentEvent[] = [
  { type: 'TOOL_RESULT_START', ...LOOK },
  { type: 'TOOL_RESULT_TEXT_DELTA', ...LOOK, delta: 'seen' },
  { type: 'TOOL_RESULT_END', ...LOOK, state: 'success' },
];
const MODEL_CALL: AgentEvent = {
  type: 'MODEL_CALL_END',
  replyId: 'r',
  usage: USAGE,
};
const HINT: AgentEvent = {
  type: 'HINT_BLOCK',
  replyId: 'r',
  blockId: 'b1',
};

const custom = (name: string, value: unknown) => ({
  type: 'CUSTOM',
  name,
  value,
});

describe.each(PLATFORMS)('What an agent says becomes, on %s', (platform) => {
  /** The events between start and end of a run in which the agent says this. */
  async function said(
    events: readonly AgentEvent[],
    options: AguiModuleOptions = {},
  ): Promise<Received[]> {
    const agent = agentOf(async function* () {
      yield reply.start();
      yield* events;
      yield reply.end();
    });
    const all = await run(await serve(platform, agent, options));
    expect(all.at(0)).toMatchObject({ type: 'RUN_STARTED' });
    expect(all.at(-1)).toMatchObject({ type: 'RUN_FINISHED' });
    return all.slice(1, -1);
  }

  it('AGENT_START: RUN_STARTED, and AGENT_END: RUN_FINISHED', async () => {
    const agent = agentOf(async function* () {
      yield reply.start();
      yield reply.end();
    });
    const ids = { threadId: 't1', runId: 'r1' };
    expect(await run(await serve(platform, agent))).toEqual([
      { type: 'RUN_STARTED', ...ids, protocolVersion: '1.0' },
      { type: 'RUN_FINISHED', ...ids },
    ]);
  });

  it('text: TEXT_MESSAGE_START, _CONTENT, _END', async () => {
    expect(await said([reply.text('Hello '), reply.text('there.')])).toEqual([
      { type: 'TEXT_MESSAGE_START', messageId: 'r', role: 'assistant' },
      { type: 'TEXT_MESSAGE_CONTENT', messageId: 'r', delta: 'Hello ' },
      { type: 'TEXT_MESSAGE_CONTENT', messageId: 'r', delta: 'there.' },
      { type: 'TEXT_MESSAGE_END', messageId: 'r' },
    ]);
  });

  it('thinking: REASONING_MESSAGE_START, _CONTENT, _END, with enableReasoning', async () => {
    const thoughts = [reply.thought('Hm.')];
    expect(await said(thoughts)).toEqual([]);
    const events = await said(thoughts, { enableReasoning: true });
    expect(outlineOf(events)).toEqual([
      'REASONING_START',
      'REASONING_MESSAGE_START',
      'REASONING_MESSAGE_CONTENT Hm.',
      'REASONING_MESSAGE_END',
      'REASONING_END',
    ]);
  });

  it('a tool call and its arguments: TOOL_CALL_START, _ARGS, _END', async () => {
    expect(outlineOf(await said(CALL))).toEqual([
      'TOOL_CALL_START look',
      'TOOL_CALL_ARGS {"a":',
      'TOOL_CALL_ARGS 1}',
      'TOOL_CALL_END',
    ]);
  });

  it('a tool result: TOOL_CALL_RESULT', async () => {
    const [result, ...others] = (await said([...CALL, ...RESULT])).slice(4);
    expect(others).toEqual([]);
    expect(result).toMatchObject({
      type: 'TOOL_CALL_RESULT',
      toolCallId: 'c1',
      role: 'tool',
      content: 'seen',
    });
    expect(result!.messageId).not.toBe('r');
  });

  it('a custom event: CUSTOM', async () => {
    expect(
      await said([{ type: 'CUSTOM', name: 'progress', value: { done: 3 } }]),
    ).toEqual([custom('progress', { done: 3 })]);
  });

  it('token usage: CUSTOM named token_usage, with emitTokenUsage', async () => {
    expect(await said([MODEL_CALL])).toEqual([]);
    expect(await said([MODEL_CALL], { emitTokenUsage: true })).toMatchObject([
      custom('token_usage', {
        delta: TOTAL,
        cumulative: TOTAL,
        modelCall: { replyId: 'r' },
      }),
    ]);
  });

  it('what has no form of its own: RAW, with event and source', async () => {
    expect(await said([HINT, { ...HINT, source: 'main/web' }])).toEqual([
      { type: 'RAW', event: HINT, source: 'agent' },
      {
        type: 'RAW',
        event: { ...HINT, source: 'main/web' },
        source: 'main/web',
      },
    ]);
  });

  describe('of a subagent', () => {
    const source = 'main/web';
    const web = (
      name: string,
      event: AgentEvent,
      value: Record<string, unknown> = {},
    ) => ({ name: `subagent.${name}`, event: { ...event, source }, value });
    const call = { toolCallId: 'c1', toolName: 'look' };

    it.each([
      web(
        'lifecycle',
        { type: 'AGENT_START', replyId: 's', name: 'web' },
        { name: 'web' },
      ),
      web('lifecycle', reply.end('s')),
      web('text', reply.text('Found.', 's'), { delta: 'Found.' }),
      web('thinking', reply.thought('Hm.', 's'), { delta: 'Hm.' }),
      web('tool_call', { type: 'TOOL_CALL_START', ...LOOK }, call),
      web('tool_call', { type: 'TOOL_CALL_END', ...LOOK }, call),
      web(
        'tool_result',
        { type: 'TOOL_RESULT_END', ...LOOK, state: 'success' },
        { ...call, state: 'success' },
      ),
      web(
        'require_confirm',
        { type: 'REQUIRE_USER_CONFIRM', replyId: 's', toolCalls: [] },
        { toolCallCount: 0 },
      ),
    ])('$event.type: CUSTOM named $name', async ({ name, event, value }) => {
      expect(await said([event])).toEqual([
        custom(name, { source, type: event.type, ...value }),
      ]);
    });

    it('what the agent itself would say, with emitSubagentEventsAsNative', async () => {
      const events = await said([{ ...reply.text('Found.', 's'), source }], {
        emitSubagentEventsAsNative: true,
      });
      expect(outlineOf(events)).toEqual([
        'TEXT_MESSAGE_START',
        'TEXT_MESSAGE_CONTENT Found.',
        'TEXT_MESSAGE_END',
      ]);
    });
  });
});

describe.each(PLATFORMS)('The runtime context on %s', (platform) => {
  const input = inputOf({
    tools: [{ name: 'pick', description: 'Picks', parameters: {} }],
    context: [{ description: 'page', value: 'home' }],
    state: { n: 1 },
    forwardedProps: { theme: 'dark' },
  });

  /** A part of the context, as the agent sees it. */
  async function seen(part: string): Promise<unknown> {
    const agent = agentOf(async function* (_messages, context) {
      yield reply.start();
      const value = part === 'sessionId' ? context[part] : context.get(part);
      yield { type: 'CUSTOM', name: part, value };
      yield reply.end();
    });
    const events = await run(await serve(platform, agent), input);
    return events.find(({ type }) => type === 'CUSTOM')!['value'];
  }

  it('should have agui.resume from the input', async () => {
    let seen: unknown;
    const agent = agentOf(async function* (_messages, context) {
      yield reply.start();
      seen = context.get('agui.resume');
      if (seen === undefined) yield* ask();
      yield reply.end();
    });
    const app = await serve(platform, agent);
    await run(app);
    const entries = [answer('q1', 'yes')];
    await resume(app, entries);
    expect(seen).toEqual(entries);
  });

  it.each([
    ['sessionId', input.threadId],
    ['agui.input', input],
    ['agui.threadId', input.threadId],
    ['agui.runId', input.runId],
    ['agui.messages', input.messages],
    ['agui.tools', input.tools],
    ['agui.context', input.context],
    ['agui.state', input.state],
    ['agui.forwardedProps', input.forwardedProps],
  ])('should have %s from the input', async (part, value) => {
    expect(await seen(part)).toEqual(value);
  });
});
