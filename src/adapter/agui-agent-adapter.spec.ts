import type { Interrupt, Message, ResumeEntry } from '@ag-ui/core';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import type { AgentEvent } from '../agent/agent-event.js';
import type { Agent } from '../agent/agent.js';
import type { Msg } from '../agent/msg.js';
import { RuntimeContext } from '../agent/runtime-context.js';
import { Toolkit, ToolMergeMode } from '../agent/toolkit.js';
import type { AguiAdapterConfig } from './agui-adapter-config.js';
import { AguiAgentAdapter } from './agui-agent-adapter.js';
import {
  agentOf,
  collect,
  END,
  expectQuietLogs,
  FINISHED,
  inputOf,
  say,
  START,
  STARTED,
  watchLogs,
} from './adapter.fixture.js';

/** What an agent was given in one run. */
async function given(
  input = inputOf(),
  caller?: RuntimeContext,
  rest: Partial<Agent> = {},
  config?: AguiAdapterConfig,
): Promise<{ messages: Msg[]; context: RuntimeContext }> {
  const asked = vi.fn<(...given: [Msg[], RuntimeContext]) => void>();
  const agent = agentOf(async function* (messages, context) {
    asked(messages, context);
    yield START;
    yield END;
  }, rest);
  await collect(new AguiAgentAdapter(agent, config).run(input, caller));
  const [messages, context] = asked.mock.calls[0]!;
  return { messages, context };
}

describe('AguiAgentAdapter', () => {
  expectQuietLogs();

  it('should run without a context and without a configuration', async () => {
    const agent = agentOf(async function* () {
      yield START;
      yield END;
    });

    expect(await collect(new AguiAgentAdapter(agent).run(inputOf()))).toEqual([
      STARTED,
      FINISHED,
    ]);
  });

  it('should call the agent as its method', async () => {
    class Greeter {
      private readonly greeting = 'hello';
      async *streamEvents(): AsyncIterable<AgentEvent> {
        yield say('CUSTOM', { name: this.greeting });
        yield END;
      }
    }

    expect(
      await collect(new AguiAgentAdapter(new Greeter()).run(inputOf())),
    ).toContainEqual({ type: 'CUSTOM', name: 'hello', value: null });
  });

  describe('context of a run', () => {
    const input = inputOf({
      threadId: 'thread-9',
      messages: [{ id: 'm1', role: 'user', content: 'hi' }],
      tools: [{ name: 'paint', description: 'Paints.' }],
      context: [{ description: 'page', value: '/home' }],
      state: { a: 1 },
      forwardedProps: { theme: 'dark' },
      resume: [{ interruptId: 'i1', status: 'resolved' }],
    });

    it('should have the entries of the input', async () => {
      const { context } = await given(input);

      expect(context.sessionId).toBe('thread-9');
      expect(context.get('agui.input')).toBe(input);
      expect(context.get('agui.threadId')).toBe('thread-9');
      expect(context.get('agui.runId')).toBe('run1');
      expect(context.get('agui.messages')).toBe(input.messages);
      expect(context.get('agui.tools')).toBe(input.tools);
      expect(context.get('agui.context')).toBe(input.context);
      expect(context.get('agui.state')).toBe(input.state);
      expect(context.get('agui.forwardedProps')).toBe(input.forwardedProps);
      expect(context.get('agui.resume')).toBe(input.resume);
      expect(context.get('agui.resume.interrupts')).toEqual([]);
      expect(context.signal.aborted).toBe(false);
    });

    it("should have the caller's values, which cannot stand in for the input's", async () => {
      class Tenant {}
      const tenant = new Tenant();
      const caller = new RuntimeContext({
        sessionId: 'made up',
        userId: 'u1',
        entries: { traceId: 'tr', 'agui.threadId': 'made up' },
      }).put(Tenant, tenant);

      const { context } = await given(input, caller);

      expect(context.userId).toBe('u1');
      expect(context.get('traceId')).toBe('tr');
      expect(context.get(Tenant)).toBe(tenant);
      expect(context.sessionId).toBe('thread-9');
      expect(context.get('agui.threadId')).toBe('thread-9');
    });

    it("should be the run's own", async () => {
      const caller = new RuntimeContext();

      const { context } = await given(input, caller);
      context.put('written', true);

      expect(caller.has('written')).toBe(false);
      expect(caller.has('agui.input')).toBe(false);
      expect(caller.sessionId).toBe('');
    });

    it('should have the recorded interrupts that the input answers', async () => {
      const interrupt = (id: string) => ({ id, reason: 'tool_call' });
      const caller = new RuntimeContext().put('agui.resume.interrupts', [
        interrupt('i1'),
        interrupt('i2'),
      ]);

      const { context } = await given(input, caller);

      expect(context.get('agui.resume.interrupts')).toEqual([interrupt('i1')]);
    });
  });

  describe('messages for the agent', () => {
    const interrupt: Interrupt = {
      id: 'r1:c1',
      reason: 'tool_call',
      toolCallId: 'c1',
      metadata: { toolName: 'f', toolInput: {}, toolContent: '{}' },
    };
    const resume: ResumeEntry[] = [
      { interruptId: 'r1:c1', status: 'resolved', payload: { ok: true } },
    ];
    const caller = new RuntimeContext().put('agui.resume.interrupts', [
      interrupt,
    ]);

    it('should be the conversation, then the answers', async () => {
      const messages: Message[] = [
        { id: 'm1', role: 'user', content: 'hi' },
        { id: 'm2', role: 'activity', activityType: 'x', content: {} },
      ];

      const tools = [{ name: 'paint', description: '' }];

      const { messages: seen, context } = await given(
        inputOf({ messages, resume, tools }),
        caller,
      );

      expect(context.toolkit.has('paint')).toBe(true);
      expect(seen.map(({ id, role }) => [id, role])).toEqual([
        ['m1', 'user'],
        ['agui-resume-r1:c1', 'tool'],
      ]);
    });

    it('should be its own, and not that of its subagents', async () => {
      const messages: Message[] = [
        { id: 'm1', role: 'user', content: 'hi' },
        {
          id: 'm2',
          role: 'assistant',
          content: 'I searched.',
          subagentRunId: 'main/researcher#1',
        },
        { id: 'm3', role: 'assistant', content: 'They searched.' },
      ];

      const { messages: seen, context } = await given(inputOf({ messages }));

      expect(seen.map(({ id }) => id)).toEqual(['m1', 'm3']);
      expect(context.get('agui.messages')).toEqual(messages);
    });

    it("should not take a client's echo of its answer for the result", async () => {
      const messages: Message[] = [
        {
          id: 'm1',
          role: 'assistant',
          toolCalls: ['c0', 'c1'].map((id) => ({
            id,
            type: 'function',
            function: { name: 'f', arguments: '{}' },
          })),
        },
        { id: 'm2', role: 'tool', toolCallId: 'c0', content: 'a result' },
        { id: 'm3', role: 'tool', toolCallId: 'c1', content: '{"ok":true}' },
      ];

      const { messages: seen } = await given(
        inputOf({ messages, resume }),
        caller,
      );

      expect(seen.map(({ id }) => id)).toEqual([
        'm1',
        'm2',
        'agui-resume-r1:c1',
      ]);
    });
  });

  describe('tools of a run', () => {
    const toolkit = new Toolkit([
      { name: 'search', description: 'ours' },
      { name: 'paint', description: 'ours' },
    ]);
    const input = inputOf({
      tools: [
        {
          name: 'paint',
          description: 'theirs',
          parameters: { type: 'object' },
        },
        { name: 'alert', description: 'theirs' },
      ],
    });
    const toolsIn = async (
      mode?: ToolMergeMode,
      own: Toolkit | undefined = toolkit,
    ) => {
      const { context } = await given(
        input,
        undefined,
        own && { toolkit: own },
        mode && { defaultToolMergeMode: mode },
      );
      return context.toolkit
        .list()
        .map(({ name, description }) => `${name}: ${description}`);
    };

    it.each([
      [undefined, ['search: ours', 'paint: theirs', 'alert: theirs']],
      [
        ToolMergeMode.MERGE_FRONTEND_PRIORITY,
        ['search: ours', 'paint: theirs', 'alert: theirs'],
      ],
      [ToolMergeMode.FRONTEND_ONLY, ['paint: theirs', 'alert: theirs']],
      [ToolMergeMode.AGENT_ONLY, ['search: ours', 'paint: ours']],
    ])('should be merged by %s', async (mode, expected) => {
      expect(await toolsIn(mode)).toEqual(expected);
      expect(toolkit.list().map(({ description }) => description)).toEqual([
        'ours',
        'ours',
      ]);
    });

    it('should be known as the front end’s, which executes them', async () => {
      const { context } = await given(input, undefined, { toolkit });

      expect(context.toolkit.get('paint')).toEqual({
        name: 'paint',
        description: 'theirs',
        parameters: { type: 'object' },
        frontend: true,
      });
      expect(context.toolkit.get('search')!.frontend).toBeUndefined();
    });

    it('should come from the front end alone if the agent has no toolkit', async () => {
      const { context } = await given(input);

      expect(context.toolkit.list().map(({ name }) => name)).toEqual([
        'paint',
        'alert',
      ]);
    });

    it('should be read anew for each run from an agent whose toolkit is a getter', async () => {
      let count = 0;
      const agent = {
        get toolkit() {
          return new Toolkit([{ name: `tool${++count}` }]);
        },
        async *streamEvents(_: Msg[], { toolkit: own }: RuntimeContext) {
          const value = own.list().map(({ name }) => name);
          yield say('CUSTOM', { name: 'tools', value });
          yield END;
        },
      };
      const adapter = new AguiAgentAdapter(agent);
      const run = async () => (await collect(adapter.run(inputOf())))[1];

      expect(await run()).toMatchObject({ value: ['tool1'] });
      expect(await run()).toMatchObject({ value: ['tool2'] });
    });

    it.each(Object.values(ToolMergeMode))(
      'should never mix in 50 parallel runs of one agent (%s)',
      async (defaultToolMergeMode) => {
        const agent = agentOf(
          async function* (messages, context) {
            const seen = () => ({
              tools: context.toolkit.list().map(({ name }) => name),
              session: context.sessionId,
              user: context.userId,
              said: messages[0]!.id,
              state: context.get('agui.state'),
              context: context.get('agui.context'),
            });
            const before = JSON.stringify(seen());
            context.toolkit.register({ name: `added-${context.sessionId}` });
            yield START;
            await sleep(Math.random() * 4);
            yield say('CUSTOM', { name: 'before', value: before });
            await sleep(Math.random() * 4);
            yield say('CUSTOM', {
              name: 'after',
              value: JSON.stringify(seen()),
            });
            yield END;
          },
          { toolkit: new Toolkit([{ name: 'own' }]) },
        );
        const adapter = new AguiAgentAdapter(agent, { defaultToolMergeMode });
        const run = async (n: number) => {
          const threadId = `t${n}`;
          const parallel = inputOf({
            threadId,
            messages: [{ id: `m${n}`, role: 'user', content: 'hi' }],
            tools: [{ name: `front${n}`, description: '' }],
            context: [{ description: 'n', value: String(n) }],
            state: { n },
          });
          const events = await collect(
            adapter.run(parallel, new RuntimeContext({ userId: `u${n}` })),
          );
          const tools = [
            ...(defaultToolMergeMode === 'FRONTEND_ONLY' ? [] : ['own']),
            ...(defaultToolMergeMode === 'AGENT_ONLY' ? [] : [`front${n}`]),
          ];
          const seen = {
            tools,
            session: threadId,
            user: `u${n}`,
            said: `m${n}`,
            state: { n },
            context: parallel.context,
          };
          const later = { ...seen, tools: [...tools, `added-${threadId}`] };
          expect(events).toEqual([
            { ...STARTED, threadId },
            { type: 'CUSTOM', name: 'before', value: JSON.stringify(seen) },
            { type: 'CUSTOM', name: 'after', value: JSON.stringify(later) },
            { ...FINISHED, threadId },
          ]);
        };

        await Promise.all(Array.from({ length: 50 }, (_, n) => run(n)));

        expect(agent.toolkit!.list()).toEqual([{ name: 'own' }]);
      },
    );
  });
});

describe('a resume that cannot be understood', () => {
  watchLogs();

  it('should fail the run before the agent is asked', async () => {
    const streamEvents = vi.fn<Agent['streamEvents']>();
    const caller = new RuntimeContext().put('agui.resume.interrupts', [
      {
        id: 'i1',
        reason: 'tool_call',
        metadata: { 'agentscope.interruptKind': 'permission_confirm' },
      },
    ]);
    const resume = [
      {
        interruptId: 'i1',
        status: 'resolved' as const,
        payload: { approved: true, editedArgs: [1] },
      },
    ];

    const events = await collect(
      new AguiAgentAdapter({ streamEvents }).run(inputOf({ resume }), caller),
    );

    expect(events).toEqual([
      STARTED,
      {
        type: 'RUN_ERROR',
        code: 'INVALID_INPUT_ERROR',
        message:
          'The edited arguments for interrupt "i1" must be a JSON object.',
        timestamp: expect.any(Number),
      },
    ]);
    expect(streamEvents).not.toHaveBeenCalled();
  });
});
