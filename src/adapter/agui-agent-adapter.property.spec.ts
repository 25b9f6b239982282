import { verifyEvents } from '@ag-ui/client';
import type { BaseEvent } from '@ag-ui/core';
import { EventSchemas } from '@ag-ui/core/schemas';
import fc from 'fast-check';
import { from, lastValueFrom, toArray } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { AgentEventType, type AgentEvent } from '../agent/agent-event.js';
import type { AguiEvent } from '../protocol/agui-event.js';
import type { AguiAdapterConfig } from './agui-adapter-config.js';
import { AguiAgentAdapter } from './agui-agent-adapter.js';
import {
  collect,
  END,
  inputOf,
  say,
  scripted,
  watchLogs,
} from './adapter.fixture.js';

const few = <T>(...values: T[]) => fc.constantFrom(...values);
const any = (...values: unknown[]) => fc.constantFrom(...values);
const toolUse = fc.record({
  type: fc.constant('tool_use'),
  id: any('c1', 'c2', 'c3', undefined),
  name: any('f', 'paint', undefined),
  input: any({}, { a: 1 }, null),
  content: any('', '{"a":1}', '{"a', undefined),
});

/** The members that agent events have, each of them sensible or not. */
const members = fc.record(
  {
    source: any(undefined, undefined, 'main/a', 'main/a/b', 'main/c', '', null),
    replyId: any('r1', 'r2', 'm1', undefined, ''),
    blockId: any('b1', 'b2', undefined),
    toolCallId: any('c1', 'c2', 'c3', '', undefined),
    toolCallName: any('f', 'paint', '', undefined),
    delta: any('a', 'b ', '', '{"', undefined),
    data: any({ type: 'text', text: 'x' }, { type: 'image' }, undefined),
    state: any('success', 'error', 'running', { a: 1 }, { b: [2] }, null),
    mode: any('SNAPSHOT', 'DELTA', undefined),
    encryptedValue: any('sealed', undefined),
    usage: any({ inputTokens: 1, outputTokens: 2 }, { inputTokens: 1 }, null),
    metadata: any({}, { taskId: 't1' }, { taskId: 't2' }, undefined),
    name: any('n', undefined),
    value: any(1, null, undefined),
  },
  { noNullPrototype: true },
);
const types = [
  ...Object.keys(AgentEventType),
  'REPLY_START',
  'REPLY_END',
  'SOMETHING_NEW',
];
const id = few('r1', 'r1-2', 'm1', 'c1', 'c1-result');

/** AG-UI events as a careless converter or agent might make them. */
const aguiEvent = fc
  .tuple(
    few(
      ...EventSchemas.options.map(({ shape }) => [...shape.type.values][0]),
      'NONE',
    ),
    fc.record({
      messageId: id,
      toolCallId: any('c1', 'c2'),
      toolCallName: any('f', undefined),
      delta: any('a', '', [], undefined),
      role: any('assistant', 'user', 'tool', undefined),
      subagentRunId: any('main/a#1', 'main/c#2', undefined, null),
      stepName: any('s', undefined),
      content: any('x', {}, [], undefined),
      message: any('no', undefined),
      messages: any([], [{ id: 'm1', role: 'user', content: 'hi' }]),
      name: any('n', undefined),
      value: any(1, undefined),
      outcome: any(undefined, { type: 'interrupt', interrupts: [] }, 'x'),
    }),
  )
  .map(([type, rest]) => ({ ...rest, type }) as unknown as AguiEvent);

const agentEvent = fc
  .tuple(
    few(...types),
    members,
    fc.option(aguiEvent),
    fc.array(toolUse, { maxLength: 2 }),
  )
  .map(
    ([type, rest, event, toolCalls]) =>
      ({
        ...rest,
        type,
        event,
        toolCalls,
        result: {
          id: 'm9',
          generateReason: 'TOOL_SUSPENDED',
          content: toolCalls.map((call) => ({
            ...call,
            type: 'tool_result',
            state: 'running',
          })),
        },
      }) as unknown as AgentEvent,
  );

/** What a careless extension does with a list of events. */
const mischief = few<(events: AguiEvent[]) => unknown>(
  (events) => events,
  (events) => events,
  (events) => events.slice(1),
  () => [],
  (events) => [...events, ...events],
  (events) => [...events].reverse(),
  (events) => [null, ...events, undefined, 'x', {}],
  (events) => events.map((event) => ({ ...event, messageId: 'same' })),
  (events) => events.map((event) => ({ ...event, timestamp: null })),
  (events) => [...events, { type: 'RUN_FINISHED' }],
  () => null,
  () => {
    throw new Error('mischief');
  },
);
const converter = fc
  .tuple(few(...Object.values(AgentEventType)), mischief, fc.array(aguiEvent))
  .map(([type, act, made]) => ({
    eventTypes: () => [type],
    convert: (_: unknown, context: { emit(event: AguiEvent): void }) => {
      for (const event of act(made) as AguiEvent[]) context.emit(event);
    },
  }));
const enricher = fc.tuple(mischief, fc.nat(3)).map(([act, every]) => {
  let count = 0;
  return {
    enrich: (_: unknown, events: AguiEvent[]) =>
      (count++ % (every + 1) === 0 ? act(events) : events) as AguiEvent[],
  };
});
const config = (careless: boolean): fc.Arbitrary<AguiAdapterConfig> =>
  fc.record({
    subagentEvents: few('custom', 'native', 'attributed'),
    enableReasoning: fc.boolean(),
    emitTokenUsage: fc.boolean(),
    emitToolCallArgs: fc.boolean(),
    baseEventPropertiesEnricherEnabled: fc.boolean(),
    converters: careless ? fc.array(converter, { maxLength: 3 }) : few([]),
    enrichers: careless ? fc.array(enricher, { maxLength: 2 }) : few([]),
  });
const input = fc
  .record({ protocolVersion: few('1.0', undefined), state: few({}, { a: 0 }) })
  .map((rest) =>
    inputOf({
      ...rest,
      messages: [{ id: 'm1', role: 'user', content: 'hi' }],
      tools: [{ name: 'paint', description: '' }],
    }),
  );

/** Asserts what every client may rely on. */
async function expectLegal(events: AguiEvent[]): Promise<void> {
  const onTheWire = events.map(
    (event) => JSON.parse(JSON.stringify(event)) as BaseEvent,
  );
  const parsed = onTheWire.map((event) => EventSchemas.parse(event));
  expect(parsed).toEqual(onTheWire);
  // The client has a copy of RxJS of its own.
  const verified = verifyEvents(false)(from(onTheWire) as never);
  expect(await lastValueFrom(from(verified as never).pipe(toArray()))).toEqual(
    onTheWire,
  );
  const ends = events.filter(
    ({ type }) => type === 'RUN_FINISHED' || type === 'RUN_ERROR',
  );
  expect(ends).toHaveLength(1);
  expect(events.at(-1)).toBe(ends[0]);
}

describe('AguiAgentAdapter, whatever happens', { timeout: 30_000 }, () => {
  watchLogs();

  it('should make a legal stream of any agent events, in every mode', async () => {
    const script = fc.array(agentEvent, { maxLength: 20 });
    const property = fc.asyncProperty(
      script,
      config(false),
      input,
      few(undefined, { error: new Error('no') }),
      async (events, given, runInput, failure) => {
        const agent = scripted(events, failure);

        await expectLegal(
          await collect(new AguiAgentAdapter(agent, given).run(runInput)),
        );
      },
    );

    await expect(
      fc.assert(property, { numRuns: 1000 }),
    ).resolves.toBeUndefined();
  });

  it('should make a legal stream in spite of careless converters and enrichers', async () => {
    const script = fc.array(agentEvent, { maxLength: 15 });
    const property = fc.asyncProperty(
      script,
      config(true),
      input,
      async (events, given, runInput) => {
        const agent = scripted([...events, END]);

        await expectLegal(
          await collect(new AguiAgentAdapter(agent, given).run(runInput)),
        );
      },
    );

    await expect(
      fc.assert(property, { numRuns: 1000 }),
    ).resolves.toBeUndefined();
  });

  it('should make a legal stream of any AG-UI events', async () => {
    const property = fc.asyncProperty(
      fc.array(aguiEvent, { maxLength: 20 }),
      input,
      async (events, runInput) => {
        const agent = { run: () => from(events as BaseEvent[]) };

        await expectLegal(
          await collect(new AguiAgentAdapter(agent).run(runInput)),
        );
      },
    );

    await expect(
      fc.assert(property, { numRuns: 400 }),
    ).resolves.toBeUndefined();
  });
});

describe(
  'AguiAgentAdapter with a well-behaved agent',
  { timeout: 30_000 },
  () => {
    const logs = watchLogs();

    /** A step of a reply: a piece of text or thought, or of a call that is open. */
    const step = fc.record({
      kind: few('text', 'thinking', 'call'),
      source: few(undefined, 'main/a', 'main/a/b', 'main/c'),
      reply: few('r1', 'r2'),
      block: few('b1', 'b2'),
      delta: fc.string({ minLength: 1, maxLength: 3 }),
    });

    function scriptOf(
      steps: (typeof step extends fc.Arbitrary<infer S> ? S : never)[],
    ) {
      const script: AgentEvent[] = [];
      const started = new Set<string>();
      for (const { kind, source = '', reply, block, delta } of steps) {
        const replyId = `${source}${reply}`;
        const base = { replyId, ...(source && { source }) };
        const toolCallId = `${replyId}-${block}-call`;
        const call = { ...base, toolCallId, toolCallName: 'f' };
        if (source && !started.has(source))
          script.push(say('AGENT_START', { ...base, replyId: `${source}r1` }));
        if (kind === 'call' && !started.has(toolCallId))
          script.push(say('TOOL_CALL_START', call));
        started.add(source).add(kind === 'call' ? toolCallId : source);
        script.push(
          kind === 'call'
            ? say('TOOL_CALL_DELTA', { ...call, delta })
            : kind === 'text'
              ? say('TEXT_BLOCK_DELTA', { ...base, blockId: block, delta })
              : say('THINKING_BLOCK_DELTA', { ...base, blockId: block, delta }),
        );
      }
      return [...script, END];
    }

    it('should deliver every text, thought and argument whole, without a repair', async () => {
      const property = fc.asyncProperty(
        fc.array(step, { maxLength: 25 }),
        few<AguiAdapterConfig>(
          { subagentEvents: 'native' },
          { subagentEvents: 'attributed' },
        ),
        async (steps, mode) => {
          const agent = scripted(scriptOf(steps));
          const adapter = new AguiAgentAdapter(agent, {
            ...mode,
            enableReasoning: true,
          });

          const events = await collect(adapter.run(inputOf()));

          await expectLegal(events);
          expect(logs.warnings).toEqual([]);
          const deltas = (type: string) =>
            events.flatMap((event) =>
              event.type === type && 'delta' in event ? [event.delta] : [],
            );
          const sent = (kind: string) =>
            steps.flatMap((one) => (one.kind === kind ? [one.delta] : []));
          expect(deltas('TEXT_MESSAGE_CONTENT')).toEqual(sent('text'));
          expect(deltas('REASONING_MESSAGE_CONTENT')).toEqual(sent('thinking'));
          expect(deltas('TOOL_CALL_ARGS')).toEqual(sent('call'));
        },
      );

      await expect(
        fc.assert(property, { numRuns: 400 }),
      ).resolves.toBeUndefined();
    });
  },
);
