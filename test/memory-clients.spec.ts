import { afterEach, describe, expect, it } from 'vitest';
import { AiSdkAgent } from 'nestjs-agui/ai-sdk';
import {
  AguiRequestProcessor,
  ThreadStore,
  InMemoryThreadStore,
} from 'nestjs-agui';
import type { RunAgentInput } from '@ag-ui/core';
import { ThreadSessionManager } from '../src/thread/thread-session.manager.js';
import { agentOf, reply, silentAgent } from './support/agents.js';
import { closeApps, PLATFORMS, serve } from './support/app.js';
import { inputOf, openStream, post, run } from './support/client.js';
import { clientOf, CLIENTS, refuseComplaints } from './support/http-agents.js';
import {
  actor,
  answer,
  interruptsOf,
  suspend,
} from './support/interrupting.js';
import { MAIL, mailer } from './support/mailer.js';
import { calls, useMockModels } from './support/mock-models.js';
import type { RootOptions } from './support/module-app.js';
import {
  clientAt,
  connect,
  CONNECT,
  firstRun,
  user,
} from './support/threads.js';

const models = useMockModels();
refuseComplaints();
afterEach(closeApps);

const memory: RootOptions = { serverSideMemory: true };

/** The conversation that the model was asked about last. */
const talk = () =>
  models
    .lastTalk()
    .map(({ role, content, tool_calls: made }) =>
      made === undefined
        ? `${role}: ${content}`
        : `${role}: call ${made[0]!.id}`,
    );

const CASES = PLATFORMS.flatMap((platform) =>
  CLIENTS.map(([name, Client]) => ({ platform, name, Client })),
);

describe.each(CASES)('A conversation with $name on $platform', (one) => {
  const { platform, Client } = one;

  async function talking(...turns: Parameters<typeof models.script>) {
    models.script(...turns);
    const agent = new AiSdkAgent({ model: models.model() });
    const client = clientOf(Client, await serve(platform, agent, memory));
    await client.runAgent();
    const say = async (id: string) => {
      client.addMessage(user(id));
      await client.runAgent();
    };
    return { client, say };
  }

  it('should reach the model once, whole', async () => {
    const { say } = await talking('One.', 'Two.', 'Three.');
    await say('u2');
    await say('u3');
    expect(talk()).toEqual([
      'user: Hi',
      'assistant: One.',
      'user: text of u2',
      'assistant: Two.',
      'user: text of u3',
    ]);
  });

  it('should go on from an answer that is asked for again', async () => {
    const { client, say } = await talking(
      'One.',
      'Two.',
      'Two again.',
      'Three.',
    );
    await say('u2');
    client.setMessages(client.messages.slice(0, -1));
    await client.runAgent();
    expect(talk()).toEqual(['user: Hi', 'assistant: One.', 'user: text of u2']);
    await say('u3');
    expect(talk().slice(2)).toEqual([
      'user: text of u2',
      'assistant: Two again.',
      'user: text of u3',
    ]);
  });

  it('should be the same after the page was loaded again', async () => {
    const { client } = await talking('One.', 'Two.');
    const back = new Client({
      url: client.url.replace('/run', '/connect'),
      threadId: 't1',
    });
    await back.runAgent();
    expect(back.messages).toEqual(client.messages);
    back.url = client.url;
    back.addMessage(user('u2'));
    await back.runAgent();
    expect(talk()).toEqual(['user: Hi', 'assistant: One.', 'user: text of u2']);
  });

  it('should have the result of an approved call in the run after', async () => {
    models.script(calls('send_email', MAIL, 'c1'), 'It is sent.', 'Welcome.');
    const { agent, sent } = mailer(models.model());
    const client = clientOf(Client, await serve(platform, agent, memory));
    await client.runAgent();
    const resume = client.pendingInterrupts.map((open) =>
      answer(open, { approved: true }),
    );
    await client.runAgent({ resume: resume as never });
    client.addMessage(user('u2'));
    await client.runAgent();
    expect(sent).toEqual([MAIL]);
    expect(talk()).toEqual([
      'user: Hi',
      'assistant: call c1',
      'tool: Email sent to ada@example.com',
      'assistant: It is sent.',
      'user: text of u2',
    ]);
  });
});

describe.each(PLATFORMS)('What the server keeps on %s', (platform) => {
  it.each([
    ['nothing', []],
    ['its last message', [{ id: 'u1', role: 'user', content: 'Hi' }]],
  ])(
    'should be there for a client that resumes with %s',
    async (_what, messages) => {
      models.script(calls('send_email', MAIL, 'c1'), 'It is sent.', 'Welcome.');
      const { agent, sent } = mailer(models.model());
      const app = await serve(platform, agent, {
        ...memory,
        divergence: 'reject',
      });
      const [asked] = interruptsOf(await firstRun(app));
      const resume = [answer(asked!, { approved: true })];
      await run(app, inputOf({ runId: 'r2', messages, resume }));
      expect(sent).toEqual([MAIL]);
      await run(app, inputOf({ runId: 'r3', messages: [user('u2')] }));
      expect(talk()).toEqual([
        'user: Hi',
        'assistant: call c1',
        'tool: Email sent to ada@example.com',
        'assistant: It is sent.',
        'user: text of u2',
      ]);
    },
  );

  it("should have the result of the front end's tool, though it comes alone", async () => {
    models.script(calls('pick', {}, 'c1'), 'Blue it is.', 'Bye.');
    const agent = new AiSdkAgent({ model: models.model() });
    const app = await serve(platform, agent, memory);
    const tools = [{ name: 'pick', description: 'Picks', parameters: {} }];
    await firstRun(app, { tools });
    const result = { id: 'x', role: 'tool', toolCallId: 'c1', content: 'blue' };
    await run(app, inputOf({ runId: 'r2', tools, messages: [result] }));
    await run(app, inputOf({ runId: 'r3', tools, messages: [user('u2')] }));
    expect(talk()).toEqual([
      'user: Hi',
      'assistant: call c1',
      'tool: blue',
      'assistant: Blue it is.',
      'user: text of u2',
    ]);
  });

  it('should have a question once that is asked again because its run failed', async () => {
    models.script({ error: { message: 'overloaded' }, status: 400 }, 'One.');
    const agent = new AiSdkAgent({ model: models.model() });
    const app = await serve(platform, agent, memory);
    await firstRun(app);
    await run(app, inputOf({ runId: 'r2' }));
    expect(talk()).toEqual(['user: Hi']);
    const client = clientAt(app, CONNECT);
    await client.runAgent();
    expect(client.messages.map(({ content }) => content)).toEqual([
      'Hi',
      'One.',
    ]);
  });

  it('should be what it was after a branch was refused', async () => {
    models.script('One.', 'Two.', 'Three.');
    const agent = new AiSdkAgent({ model: models.model() });
    const app = await serve(platform, agent, {
      ...memory,
      divergence: 'reject',
    });
    const say = (runId: string, ...messages: object[]) =>
      post(app, inputOf({ runId, messages })).then(async (response) => {
        await response.text();
        return response.status;
      });
    await say('r1', user('u1'));
    await say('r2', user('u2'));
    const before = await connect(app, { runId: 'c' });
    expect(await say('r3', user('u1', 'edited'))).toBe(409);
    expect(await say('r3', user('u1'))).toBe(409);
    const timeless = (events: object[]) =>
      events.map((event) => ({ ...event, timestamp: 0 }));
    expect(timeless(await connect(app, { runId: 'c' }))).toEqual(
      timeless(before),
    );
    expect(await say('r3', user('u3'))).toBe(200);
  });

  it('should be kept of what was said before a client left', async () => {
    const agent = silentAgent([reply.start(), reply.text('Well, ')]);
    const app = await serve(platform, agent, memory);
    const own = await openStream(app);
    await own.untilType('TEXT_MESSAGE_CONTENT');
    own.leave();
    await agent.stopped.promise;
    const client = clientAt(app, CONNECT);
    await client.runAgent();
    expect(client.messages.map(({ content }) => content)).toEqual([
      'Hi',
      'Well, ',
    ]);
  });

  it('should be handed over with what an agent suspended for', async () => {
    const agent = actor(suspend('c1'));
    const app = await serve(platform, agent, memory);
    const [asked] = interruptsOf(await firstRun(app));
    const resume = [answer(asked!, 'deployed')];
    await run(app, inputOf({ runId: 'r2', messages: [], resume }));
    expect(agent.told[1]).toMatchObject([
      { content: [{ type: 'tool_result', id: 'c1' }] },
    ]);
  });
});

describe('Ten thousand threads', () => {
  it('should stay inside of the bounds, but for those that run', async () => {
    const agent = agentOf(async function* (_messages, { sessionId, signal }) {
      yield reply.start();
      yield reply.text('x'.repeat(100));
      if (sessionId === 'running')
        await new Promise((resolve) => (signal.onabort = resolve));
      yield reply.end();
    });
    const app = await serve('fastify', agent, {
      ...memory,
      maxThreadSessions: 500,
    });
    const own = await openStream(app, inputOf({ threadId: 'running' }));
    await own.untilType('TEXT_MESSAGE_CONTENT');
    const processor = app.app.get(AguiRequestProcessor);
    const store = app.app.get<InMemoryThreadStore>(ThreadStore);
    const sessions = app.app.get(ThreadSessionManager);
    let [most, last] = [0, ''];
    for (let n = 0; n < 10_000; n++) {
      const input = inputOf({ threadId: `t${n}` }) as unknown as RunAgentInput;
      const done = await processor.process({ input });
      await done.pipe({ write: ({ type }) => void (last = type) });
      most = Math.max(most, store.size, sessions.size);
    }
    expect(last).toBe('RUN_FINISHED');
    expect(most).toBeLessThanOrEqual(501);
    expect((await post(app, { threadId: 't9000' }, CONNECT)).status).toBe(404);
    expect((await post(app, { threadId: 't9999' }, CONNECT)).status).toBe(200);
    expect(JSON.stringify(await connect(app, { threadId: 't9999' }))).toContain(
      'xxx',
    );
    own.leave();
  }, 60_000);
});
