import { inspect } from 'node:util';
import { EventType, HttpAgent, type AgentSubscriber } from '@ag-ui/client';
import { HttpAgent as EarlierHttpAgent } from 'agui-client-0.0.59';
import { textOf as textOfMsg, type Agent, type AgentEvent } from 'nestjs-agui';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { agentOf, aborted, deferred, reply } from './support/agents.js';
import { closeApps, PLATFORMS, serve } from './support/app.js';

const CLIENTS: readonly [string, typeof HttpAgent][] = [
  ['@ag-ui/client 1.0', HttpAgent],
  ['@ag-ui/client 0.0.59', EarlierHttpAgent as unknown as typeof HttpAgent],
];

const CASES = PLATFORMS.flatMap((platform) =>
  CLIENTS.map(([name, Client]) => ({ platform, name, Client })),
);

const call = (toolCallName: string, id: string, args: object): AgentEvent[] => {
  const it = { replyId: 'r1', toolCallId: id, toolCallName };
  const json = JSON.stringify(args);
  return [
    { type: 'TOOL_CALL_START', ...it },
    { type: 'TOOL_CALL_DELTA', ...it, delta: json.slice(0, 4) },
    { type: 'TOOL_CALL_DELTA', ...it, delta: json.slice(4) },
    { type: 'TOOL_CALL_END', ...it },
  ];
};

const result = (
  toolCallName: string,
  toolCallId: string,
  delta: string,
): AgentEvent[] => {
  const it = { replyId: 'r1', toolCallId, toolCallName };
  return [
    { type: 'TOOL_RESULT_START', ...it },
    { type: 'TOOL_RESULT_TEXT_DELTA', ...it, delta },
    { type: 'TOOL_RESULT_END', ...it, state: 'success' },
  ];
};

/** An agent that does what the user's last words say. */
const demoAgent: Agent = agentOf(async function* (messages, context) {
  const last = messages.at(-1)!;
  const told = textOfMsg(last);
  yield reply.start('r1');
  const [answer] = context.get('agui.resume') ?? [];
  if (answer !== undefined) {
    yield reply.text(
      `${answer.status} ${JSON.stringify(answer.payload)}`,
      'r2',
    );
  } else if (last.role === 'tool') {
    yield reply.text('It is blue now.', 'r2');
  } else if (told === 'reason') {
    yield reply.thought('Let me ', 'r1');
    yield reply.thought('think.', 'r1');
    yield reply.text('Done.', 'r1');
  } else if (told === 'weather') {
    yield reply.text('I ask. ', 'r1');
    yield* call('get_weather', 'c1', { city: 'Paris' });
    yield* result('get_weather', 'c1', '{"temperature":20}');
    yield reply.text('20 degrees.', 'r2');
  } else if (told === 'background') {
    yield* call('change_background', 'c2', { color: 'blue' });
  } else if (told === 'email') {
    yield* call('send_email', 'c3', { to: 'a@b.c' });
    yield {
      type: 'REQUIRE_USER_CONFIRM',
      replyId: 'r1',
      toolCalls: [
        {
          type: 'tool_use',
          id: 'c3',
          name: 'send_email',
          input: { to: 'a@b.c' },
          content: '{"to":"a@b.c"}',
        },
      ],
    };
  } else if (told === 'fail') {
    yield reply.text('Well', 'r1');
    throw new Error('secret');
  } else if (told === 'wait') {
    yield reply.text('Waiting', 'r1');
    await aborted(context.signal);
  } else {
    yield reply.text('Hello ', 'r1');
    yield reply.text('there.', 'r1');
  }
  yield reply.end('r1');
});

const TOOL = {
  name: 'change_background',
  description: 'Changes the colour of the page',
  parameters: {
    type: 'object',
    properties: { color: { type: 'string' } },
    required: ['color'],
  },
};

describe.each(CASES)('$name against $platform', ({ platform, Client }) => {
  const complaints: unknown[][] = [];

  beforeEach(() => {
    complaints.length = 0;
    for (const method of ['warn', 'error'] as const)
      vi.spyOn(console, method).mockImplementation((...words: unknown[]) => {
        complaints.push(words);
      });
  });

  afterEach(async () => {
    vi.restoreAllMocks();
    await closeApps();
    if (complaints.length > 0)
      throw new Error(`The client complained: ${inspect(complaints)}`);
  });

  async function talk(told: string) {
    const app = await serve(platform, demoAgent, { enableReasoning: true });
    const client = new Client({
      url: `${app.url}/agui/run`,
      threadId: 't1',
      initialMessages: [{ id: 'u1', role: 'user', content: told }],
    });
    return client;
  }

  const contents = (client: HttpAgent) =>
    client.messages.map((message) => [
      message.role,
      'toolCalls' in message && message.toolCalls
        ? message.toolCalls.map((made) => [
            made.function.name,
            made.function.arguments,
          ])
        : message.content,
    ]);

  it('should complete a run with text', async () => {
    const client = await talk('hello');
    const { newMessages } = await client.runAgent({ runId: 'run-1' });

    expect(newMessages).toEqual([
      { id: 'r1', role: 'assistant', content: 'Hello there.' },
    ]);
  });

  it('should complete several runs of one thread', async () => {
    const client = await talk('hello');
    await client.runAgent();
    client.addMessage({ id: 'u2', role: 'user', content: 'reason' });
    await client.runAgent();

    expect(contents(client).map(([role]) => role)).toEqual([
      'user',
      'assistant',
      'user',
      'reasoning',
      'assistant',
    ]);
  });

  it('should complete a run with reasoning', async () => {
    const client = await talk('reason');
    await client.runAgent();

    expect(contents(client)).toEqual([
      ['user', 'reason'],
      ['reasoning', 'Let me think.'],
      ['assistant', 'Done.'],
    ]);
  });

  it('should complete a run with a tool of the agent', async () => {
    const client = await talk('weather');
    await client.runAgent();

    const said = contents(client);
    expect(said).toContainEqual([
      'assistant',
      [['get_weather', '{"city":"Paris"}']],
    ]);
    expect(said.slice(-2)).toEqual([
      ['tool', '{"temperature":20}'],
      ['assistant', '20 degrees.'],
    ]);
  });

  it('should complete two runs with a tool of the front end', async () => {
    const client = await talk('background');
    await client.runAgent({ tools: [TOOL] });
    expect(contents(client).at(-1)).toEqual([
      'assistant',
      [['change_background', '{"color":"blue"}']],
    ]);

    client.addMessage({
      id: 'tool-1',
      role: 'tool',
      toolCallId: 'c2',
      content: 'changed',
    });
    await client.runAgent({ tools: [TOOL] });
    expect(contents(client).at(-1)).toEqual(['assistant', 'It is blue now.']);
  });

  it('should be interrupted and resumed', async () => {
    const client = await talk('email');
    await client.runAgent();
    const [interrupt] = client.pendingInterrupts;
    expect(interrupt).toMatchObject({ reason: 'tool_call', toolCallId: 'c3' });

    await client.runAgent({
      resume: [
        {
          interruptId: interrupt!.id,
          status: 'resolved',
          payload: { approved: true },
        },
      ],
    });
    expect(client.pendingInterrupts).toEqual([]);
    expect(contents(client).at(-1)).toEqual([
      'assistant',
      'resolved {"approved":true}',
    ]);
  });

  it('should be told of an error, and run again', async () => {
    const client = await talk('fail');
    const errors: unknown[] = [];
    const subscriber: AgentSubscriber = {
      onRunErrorEvent: ({ event }) => void errors.push(event),
    };
    await client.runAgent({}, subscriber);
    expect(errors).toMatchObject([
      {
        message: 'The agent failed. The server log says why.',
        code: 'INTERNAL_ERROR',
      },
    ]);

    client.addMessage({ id: 'u2', role: 'user', content: 'hello' });
    await client.runAgent({}, subscriber);
    expect(errors).toHaveLength(1);
    expect(contents(client).at(-1)).toEqual(['assistant', 'Hello there.']);
  });

  describe('whose agent leaves a step open', () => {
    const stepping = (end: () => unknown) =>
      agentOf(async function* () {
        yield reply.start('r1');
        yield {
          type: 'AGUI_EVENT',
          event: { type: EventType.STEP_STARTED, stepName: 'search' },
        };
        await end();
        yield reply.end('r1');
      });

    const ends: [string, () => unknown, number][] = [
      ['returns', () => undefined, 0],
      ['throws', () => Promise.reject(new Error('secret')), 1],
    ];

    it.each(ends)(
      'should see the end when it %s',
      async (_how, end, errors) => {
        const app = await serve(platform, stepping(end));
        const client = new Client({ url: `${app.url}/agui/run` });
        let [failed, finished] = [0, 0];
        await client.runAgent(
          {},
          {
            onRunErrorEvent: () => void failed++,
            onRunFinishedEvent: () => void finished++,
          },
        );
        expect([failed, finished]).toEqual([errors, 1 - errors]);
      },
    );
  });

  it('should stop the agent when it aborts the run', async () => {
    const stopped = deferred();
    const app = await serve(
      platform,
      agentOf(async function* (messages, context) {
        try {
          yield* demoAgent.streamEvents(
            messages,
            context,
          ) as AsyncIterable<AgentEvent>;
        } finally {
          stopped.resolve();
        }
      }),
    );
    const client = new Client({
      url: `${app.url}/agui/run`,
      threadId: 't1',
      initialMessages: [{ id: 'u1', role: 'user', content: 'wait' }],
    });
    await client.runAgent(
      {},
      { onTextMessageContentEvent: () => client.abortRun() },
    );

    await stopped.promise;
    expect(contents(client).at(-1)).toEqual(['assistant', 'Waiting']);
  });
});
