import { jsonSchema } from 'ai';
import { AiSdkAgent, agentTool } from 'nestjs-agui/ai-sdk';
import { afterEach, describe, expect, it } from 'vitest';
import { agentOf, reply, silentAgent } from './support/agents.js';
import { closeApps, PLATFORMS, serve } from './support/app.js';
import { inputOf, openStream, post, run, typesOf } from './support/client.js';
import { calls, together, useMockModels } from './support/mock-models.js';

const models = useMockModels();
afterEach(closeApps);

const users = {
  contextResolvers: [
    {
      resolve: ({ headers }: { headers: Record<string, unknown> }) => ({
        userId: String(headers['x-user']),
      }),
    },
  ],
};
const as = (user: string, path = '/agui/run') => ({
  path,
  headers: { 'x-user': user },
});

describe.each(PLATFORMS)('A stop button on %s', (platform) => {
  async function running() {
    const agent = silentAgent([reply.start(), reply.text('Well')]);
    const app = await serve(platform, agent, users);
    const stream = await openStream(app, inputOf(), as('ada'));
    await stream.untilType('TEXT_MESSAGE_CONTENT');
    const press = async (user: string, named: object) => {
      const answer = await post(app, named, as(user, '/agui/cancel'));
      return { status: answer.status, ...((await answer.json()) as object) };
    };
    return { app, agent, stream, press };
  }

  it('should end the run on its own stream, and once', async () => {
    const { agent, stream, press } = await running();
    const pressed = { threadId: 't1', runId: 'r1' };
    expect(await press('ada', pressed)).toMatchObject({ cancelled: true });
    await stream.ended;
    await agent.stopped.promise;
    expect(stream.events.slice(-2)).toMatchObject([
      { type: 'TEXT_MESSAGE_END' },
      { type: 'RUN_FINISHED', outcome: { type: 'cancelled' } },
    ]);
    expect(await press('ada', pressed)).toMatchObject({ cancelled: false });
  });

  it.each([
    ['of another user', 'eve', { threadId: 't1', runId: 'r1' }],
    ['of another thread', 'ada', { threadId: 't2', runId: 'r1' }],
    ['of another run', 'ada', { threadId: 't1', runId: 'r2' }],
  ])('should not be one %s', async (_whose, user, named) => {
    const { stream, press } = await running();
    expect(await press(user, named)).toMatchObject({ status: 404 });
    expect(typesOf(stream.events)).not.toContain('RUN_FINISHED');
    stream.leave();
  });
});

describe.each(PLATFORMS)('A page that is loaded again on %s', (platform) => {
  it('should be told a conversation in which a run failed, as one run', async () => {
    let runs = 0;
    const agent = agentOf(async function* () {
      const replyId = `r${++runs}`;
      yield reply.start(replyId);
      yield reply.text(`Answer ${runs}`, replyId);
      if (runs === 1) throw new Error('secret');
      yield reply.end(replyId);
    });
    const app = await serve(platform, agent, { serverSideMemory: true });
    const user = (id: string) => ({ id, role: 'user', content: id });
    await run(app, inputOf({ messages: [user('u1')] }));
    await run(app, inputOf({ runId: 'r2', messages: [user('u2')] }));
    const path = '/agui/connect';
    const events = await run(app, inputOf({ messages: [] }), { path });
    expect(typesOf(events)).toEqual([
      'RUN_STARTED',
      'MESSAGES_SNAPSHOT',
      'STATE_SNAPSHOT',
      'RUN_FINISHED',
    ]);
    const messages = events[1]!['messages'] as { content: string }[];
    expect(messages.map(({ content }) => content)).toEqual(
      expect.arrayContaining(['u2', 'Answer 2']),
    );
  });

  it('should be told which calls of the front end wait for their results', async () => {
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
    const path = '/agui/connect';
    const again = await run(app, inputOf({ messages: [] }), { path });
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
});
