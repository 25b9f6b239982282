import { jsonSchema } from 'ai';
import { AiSdkAgent, agentTool } from 'nestjs-agui/ai-sdk';
import { afterEach, describe, expect, it } from 'vitest';
import { agentOf, reply, sayer } from './support/agents.js';
import { closeApps, PLATFORMS, serve } from './support/app.js';
import { inputOf, post, run, typesOf } from './support/client.js';
import { EVERYTHING } from './support/everything.js';
import { refuseComplaints } from './support/http-agents.js';
import { actor, answer, ask, interruptsOf } from './support/interrupting.js';
import { calls, together, useMockModels } from './support/mock-models.js';
import {
  BY_USER,
  as,
  cancel,
  clientAt,
  connect,
  CONNECT,
  firstRun,
  heldBy,
  objectionsTo,
  outcomeOf,
  StepByStep,
  thread,
  user,
} from './support/threads.js';

const models = useMockModels();
refuseComplaints();
afterEach(closeApps);

const said = [user('u1', 'Hi')];

describe.each(PLATFORMS)('A thread that is idle, on %s', (platform) => {
  it('should be told as it is, in one run', async () => {
    const agent = agentOf(async function* () {
      yield reply.start();
      yield { type: 'STATE_UPDATE', state: { n: 1 } };
      yield reply.text('Hello');
      yield reply.end();
    });
    const app = await serve(platform, agent);
    await firstRun(app);
    const events = await connect(app, { runId: 'mine' });
    expect(events).toMatchObject([
      { type: 'RUN_STARTED', threadId: 't1', runId: 'mine' },
      {
        type: 'MESSAGES_SNAPSHOT',
        messages: [
          { id: 'u1', role: 'user', content: 'Hi' },
          { role: 'assistant', content: 'Hello' },
        ],
      },
      { type: 'STATE_SNAPSHOT', snapshot: { n: 1 } },
      { type: 'RUN_FINISHED', threadId: 't1', runId: 'mine' },
    ]);
    expect(objectionsTo(events)).toEqual([]);
    expect(await connect(app)).toHaveLength(4);
  });

  it('should be restored with reasoning, calls, activities and what subagents said', async () => {
    const agent = new StepByStep(EVERYTHING);
    agent.say();
    const app = await serve(platform, agent, { enableReasoning: true });
    const before = await heldBy(clientAt(app, {}, said));
    const after = await heldBy(clientAt(app, CONNECT));
    expect(after).toEqual(before);
    expect(after.messages.map(({ id }) => id).sort()).toEqual(
      ['act', 'c1', 'inner', 'm1', 'res1', 'think', 'u1'].sort(),
    );
    expect(agent.runs).toBe(1);
  });

  it('should restate what it waits for, so that the official client can answer', async () => {
    const expiresAt = new Date(Date.now() + 60_000).toISOString();
    const agent = actor(ask({ message: 'Sure?', expiresAt }));
    const app = await serve(platform, agent);
    const [asked] = interruptsOf(await firstRun(app));
    const client = clientAt(app, CONNECT);
    await client.runAgent();
    expect(client.pendingInterrupts).toEqual([asked]);
    const { messages } = client;
    const back = clientAt(app, {}, messages);
    back.pendingInterrupts = client.pendingInterrupts;
    await back.runAgent({ resume: [answer(asked!, 'yes')] as never });
    expect(back.pendingInterrupts).toEqual([]);
    expect(agent.told).toHaveLength(2);
    expect(outcomeOf(await connect(app))).toBe('success');
  });

  it('should wait for the same after a run that failed', async () => {
    const app = await serve(
      platform,
      actor(ask(), () => {
        throw new Error('no');
      }),
    );
    await firstRun(app);
    await run(app, inputOf({ runId: 'r2', resume: [answer('q1', 1)] }));
    expect(interruptsOf(await connect(app))).toMatchObject([{ id: 'q1' }]);
  });

  it('should be told with what followed a run that failed, as one run', async () => {
    let runs = 0;
    const agent = agentOf(async function* () {
      const replyId = `r${++runs}`;
      yield reply.start(replyId);
      yield reply.text(`Answer ${runs}`, replyId);
      if (runs === 1) throw new Error('secret');
      yield reply.end(replyId);
    });
    const app = await serve(platform, agent, { serverSideMemory: true });
    await run(app, inputOf({ messages: [user('u1')] }));
    await run(app, inputOf({ runId: 'r2', messages: [user('u2')] }));
    const events = await connect(app);
    expect(typesOf(events)).toEqual([
      'RUN_STARTED',
      'MESSAGES_SNAPSHOT',
      'STATE_SNAPSHOT',
      'RUN_FINISHED',
    ]);
    const messages = events[1]!['messages'] as { content: string }[];
    expect(messages.map(({ content }) => content)).toEqual(
      expect.arrayContaining(['text of u2', 'Answer 2']),
    );
  });

  it('should tell which calls of the front end wait for their results', async () => {
    models.script(
      together(calls('look', {}, 'c1'), calls('pick', {}, 'c2')),
      'Blue.',
    );
    const look = agentTool({
      inputSchema: jsonSchema<object>({ type: 'object', properties: {} }),
      execute: () => 'seen',
    });
    const agent = new AiSdkAgent({ model: models.model(), tools: { look } });
    const app = await serve(platform, agent, { serverSideMemory: true });
    const tools = [{ name: 'pick', description: 'Picks', parameters: {} }];
    await run(app, inputOf({ tools }));
    const again = await connect(app);
    const messages = again.find(({ type }) => type === 'MESSAGES_SNAPSHOT')![
      'messages'
    ] as { role: string; toolCalls?: object[]; toolCallId?: string }[];
    expect(messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
    ]);
    expect(messages[1]!.toolCalls).toMatchObject([{ id: 'c1' }, { id: 'c2' }]);
    expect(messages[2]!.toolCallId).toBe('c1');
    const picked = {
      id: 'x1',
      role: 'tool',
      toolCallId: 'c2',
      content: 'blue',
    };
    const next = inputOf({ runId: 'r2', tools, messages: [picked] });
    expect(typesOf(await run(app, next))).toContain('RUN_FINISHED');
    expect(models.lastTalk().at(-1)).toMatchObject({ content: 'blue' });
  });

  it('should be told in the form of the client that comes back', async () => {
    const agent = new StepByStep(EVERYTHING);
    agent.say();
    const app = await serve(platform, agent, { enableReasoning: true });
    await firstRun(app);
    const early = await connect(app, { protocolVersion: undefined });
    expect(outcomeOf(early)).toBe('success');
    const binary = await post(app, thread(), {
      ...CONNECT,
      headers: { accept: 'application/vnd.ag-ui.event+proto' },
    });
    expect(binary.headers.get('content-type')).toContain('vnd.ag-ui.event');
    const bytes = Buffer.from(await binary.arrayBuffer());
    expect(bytes.includes('Once upon a time')).toBe(true);
    const length = bytes.readUInt32BE(0);
    expect(length).toBeGreaterThan(0);
    expect(length).toBeLessThan(bytes.length);
  });
});

describe.each(PLATFORMS)('Who may come back to a thread on %s', (platform) => {
  it('should be its user alone', async () => {
    const app = await serve(platform, sayer('secret'), BY_USER);
    await firstRun(app, {}, as('ann'));
    const others = [as('eve'), as(''), {}, as('ann2')];
    const absent = await post(app, thread({ threadId: 't1' }), {
      ...CONNECT,
      ...as('eve'),
    });
    const body = await absent.text();
    for (const options of others) {
      const response = await post(
        app,
        thread({ forwardedProps: { userId: 'ann' }, userId: 'ann' }),
        { ...CONNECT, ...options },
      );
      expect(response.status).toBe(404);
      expect(await response.text()).toBe(body);
    }
    const never = await post(app, thread({ threadId: 'never' }), {
      ...CONNECT,
      ...as('ann'),
    });
    expect(never.status).toBe(404);
    expect((await never.text()).replace('never', 't1')).toBe(body);
    expect(outcomeOf(await connect(app, {}, as('ann')))).toBe('success');
  });

  it('should not find a thread whose only run never started', async () => {
    const app = await serve(platform, () => {
      throw new Error('The model is down.');
    });
    expect((await post(app)).status).toBe(500);
    expect((await post(app, thread(), CONNECT)).status).toBe(404);
    expect(await cancel(app)).toEqual({ status: 404 });
  });

  it('should be decided by guards and resolvers', async () => {
    const asked: unknown[] = [];
    const app = await serve(platform, sayer('Hello'), {
      guards: [
        {
          canActivate: (context) =>
            context.switchToHttp().getRequest<{ headers: object }>().headers[
              'x-key' as never
            ] === 'right',
        },
      ],
      contextResolvers: [
        {
          resolve: ({ pathAgentId, input }) => {
            asked.push([pathAgentId, input.threadId, input.runId !== '']);
            return { userId: 'ann' };
          },
        },
      ],
    });
    const headers = { 'x-key': 'right' };
    await firstRun(app, {}, { headers });
    for (const path of [
      '/agui/connect',
      '/agui/connect/default',
      '/agui/cancel',
    ])
      expect((await post(app, thread(), { path })).status).toBe(403);
    expect(asked).toHaveLength(1);
    await connect(app, {}, { path: '/agui/connect/default', headers });
    expect(asked[1]).toEqual(['default', 't1', true]);
  });

  it('should go by agents as runs do', async () => {
    const app = await serve(platform, sayer('Hello'));
    await firstRun(app);
    const statusAt = async (path: string) =>
      (await post(app, thread(), { path })).status;
    expect(await statusAt('/agui/connect/default')).toBe(200);
    expect(await statusAt('/agui/connect/none')).toBe(404);
    const closed = await serve(platform, sayer('Hello'), {
      enablePathRouting: false,
    });
    await firstRun(closed);
    expect(
      (await post(closed, thread(), { path: '/agui/connect/default' })).status,
    ).toBe(404);
    expect((await post(closed, thread(), CONNECT)).status).toBe(200);
  });

  it.each([
    ['no thread', {}, 400],
    ['a thread that is no text', { threadId: 5 }, 400],
    ['a run that is no text', { threadId: 't1', runId: {} }, 400],
    ['messages that are none', { threadId: 't1', messages: 'x' }, 400],
    ['a list', [], 400],
    ['nothing', 'null', 400],
    ['no JSON', '{"threadId":', 400],
  ])('should be refused with %s', async (_what, body, status) => {
    const app = await serve(platform, sayer('Hello'));
    await firstRun(app);
    for (const path of ['/agui/connect', '/agui/cancel']) {
      const response = await post(app, body, { path });
      expect(response.status).toBe(status);
      expect(await response.json()).toMatchObject({ statusCode: status });
    }
    const headers = { 'content-type': 'text/plain' };
    for (const path of ['/agui/connect', '/agui/cancel'])
      expect((await post(app, thread(), { path, headers })).status).toBe(415);
  });
});
