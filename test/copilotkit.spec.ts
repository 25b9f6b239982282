import { afterEach, describe, expect, it } from 'vitest';
import {
  agentOf,
  deferred,
  reply,
  sayer,
  silentAgent,
} from './support/agents.js';
import { closeApps, PLATFORMS } from './support/app.js';
import {
  eventsOf,
  openStream,
  textOf,
  typesOf,
  type LiveStream,
} from './support/client.js';
import {
  oldInput,
  send,
  serveCopilotKit,
  SPELLINGS,
  type Request,
} from './support/copilotkit.js';
import { tellerOf } from './support/module-app.js';
import { as, outcomeOf, user } from './support/threads.js';

afterEach(closeApps);

const users = {
  contextResolvers: [
    {
      resolve: ({ headers }: { headers: Record<string, unknown> }) => ({
        userId: headers['x-user'],
      }),
    },
  ],
};

/** What a client hears as it is said. */
function live(
  app: { port: number },
  { path, body }: Request,
  headers?: Record<string, string>,
): Promise<LiveStream> {
  return openStream(app, body, { path: `/api/copilotkit${path}`, headers });
}

const json = async (response: Promise<Response>) => {
  const { status } = await response;
  return { status, body: (await (await response).json()) as unknown };
};

describe.each(PLATFORMS)('CopilotKit on %s', (platform) => {
  describe.each(SPELLINGS)('with %s', (_name, spelling) => {
    it('should be told of the agents that may be chosen', async () => {
      const described = {
        ...sayer('Hi'),
        getCapabilities: () => ({ identity: { description: 'Says hi' } }),
      };
      class Weather {
        readonly description = 'Knows the weather';
        run = async function* () {};
      }
      const app = await serveCopilotKit(platform, described, {
        agents: {
          default: described,
          weather: new Weather(),
          made: () => sayer('made'),
          hidden: { agent: sayer('hidden'), exposed: false },
        },
      });
      const { status, body } = await json(send(app, spelling.info()));
      expect(status).toBe(200);
      expect(body).toEqual({
        version: '1.75.0',
        mode: 'sse',
        agents: {
          default: {
            name: 'default',
            description: 'Says hi',
            className: 'Object',
            capabilities: { identity: { description: 'Says hi' } },
          },
          weather: {
            name: 'weather',
            description: 'Knows the weather',
            className: 'Weather',
          },
          made: { name: 'made', description: '', className: 'Agent' },
        },
        audioFileTranscriptionEnabled: false,
        threadEndpoints: {
          list: false,
          inspect: false,
          mutations: false,
          realtimeMetadata: false,
        },
        suggestions: false,
        a2uiEnabled: false,
        openGenerativeUIEnabled: false,
        telemetryDisabled: true,
      });
    });

    it('should run an agent by its id, whatever the id is', async () => {
      const id = 'wetter/Köln 100%?';
      const app = await serveCopilotKit(platform, sayer('no'), {
        agents: { default: sayer('no'), [id]: sayer('yes') },
      });
      const response = await send(app, spelling.run(id, oldInput()));
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe('text/event-stream');
      const events = await eventsOf(response);
      expect(textOf(events)).toBe('yes');
      expect(outcomeOf(events)).toBe('success');
    });

    it('should hear in RUN_STARTED what is new in the thread', async () => {
      const app = await serveCopilotKit(platform, sayer('Hi'));
      const say = async (changes: Record<string, unknown>) => {
        const input = oldInput({ state: { count: 1 }, ...changes });
        const response = await send(app, spelling.run('default', input));
        return (await eventsOf(response))[0]!;
      };
      expect(await say({ messages: [user('u1')] })).toMatchObject({
        type: 'RUN_STARTED',
        input: {
          threadId: 't1',
          runId: 'r1',
          state: { count: 1 },
          messages: [user('u1')],
          tools: [],
          context: [],
        },
      });
      const answer = { id: 'r', role: 'assistant', content: 'Hi' };
      const messages = [user('u1'), answer, user('u2')];
      expect(await say({ runId: 'r2', messages })).toMatchObject({
        input: { runId: 'r2', messages: [user('u2')] },
      });
      expect(
        await say({ runId: 'r3', threadId: 't2', messages }),
      ).toMatchObject({ input: { messages } });
    });

    it('should get a thread back, and nothing of one that there is not', async () => {
      const app = await serveCopilotKit(platform, sayer('Hello'));
      const connect = (threadId: string) =>
        send(
          app,
          spelling.connect('default', oldInput({ threadId, messages: [] })),
        );
      const unknown = await connect('t1');
      expect(unknown.status).toBe(200);
      expect(unknown.headers.get('content-type')).toBe('text/event-stream');
      expect(await unknown.text()).toBe('');
      await eventsOf(await send(app, spelling.run('default', oldInput())));
      const events = await eventsOf(await connect('t1'));
      expect(events).toMatchObject([
        { type: 'RUN_STARTED' },
        {
          type: 'MESSAGES_SNAPSHOT',
          messages: [{ content: 'Hi' }, { content: 'Hello' }],
        },
        { type: 'STATE_SNAPSHOT' },
        { type: 'RUN_FINISHED' },
      ]);
      expect(await (await connect('t2')).text()).toBe('');
    });

    it('should go on with a run after a reload, and hear it from its beginning', async () => {
      const goOn = deferred();
      const agent = agentOf(async function* (_messages, { signal }) {
        yield reply.start();
        yield reply.text('One ');
        await goOn.promise;
        yield reply.text(signal.aborted ? 'stopped' : 'two');
        yield reply.end();
      });
      const app = await serveCopilotKit(platform, agent);
      const first = await live(app, spelling.run('default', oldInput()));
      await first.untilType('TEXT_MESSAGE_CONTENT');
      first.leave();
      const again = await live(
        app,
        spelling.connect('default', oldInput({ runId: 'r2', messages: [] })),
      );
      await again.untilType('TEXT_MESSAGE_CONTENT');
      goOn.resolve();
      await again.ended;
      expect(again.events[1]).toMatchObject({
        type: 'MESSAGES_SNAPSHOT',
        messages: [{ content: 'Hi' }],
      });
      expect(textOf(again.events)).toBe('One two');
      expect(outcomeOf(again.events)).toBe('success');
    });

    it('should stop an agent whose client leaves, if it shall', async () => {
      const agent = silentAgent([reply.start(), reply.text('Well')]);
      const app = await serveCopilotKit(
        platform,
        agent,
        {},
        { copilotKit: { interruptOnDisconnect: true } },
      );
      const stream = await live(app, spelling.run('default', oldInput()));
      await stream.untilType('TEXT_MESSAGE_CONTENT');
      stream.leave();
      await expect(agent.stopped.promise).resolves.toBeUndefined();
    });

    it.each([
      ['the run', { runId: 'r1' }],
      ['whatever runs on the thread', undefined],
    ])('should stop %s, and its stream ends', async (_which, body) => {
      const agent = silentAgent([reply.start(), reply.text('Well')]);
      const app = await serveCopilotKit(platform, agent);
      const stop = () => json(send(app, spelling.stop('default', 't1', body)));
      const stream = await live(app, spelling.run('default', oldInput()));
      await stream.untilType('TEXT_MESSAGE_CONTENT');
      expect(await stop()).toEqual({ status: 200, body: { stopped: true } });
      await stream.ended;
      await agent.stopped.promise;
      expect(stream.events.slice(-2)).toMatchObject([
        { type: 'TEXT_MESSAGE_END' },
        { type: 'RUN_ERROR', code: 'abort' },
      ]);
      expect(await stop()).toMatchObject({
        status: 200,
        body: { stopped: false, message: expect.stringContaining('"t1"') },
      });
    });

    it('should not stop another run, or that of somebody else', async () => {
      const agent = silentAgent([reply.start(), reply.text('Well')]);
      const app = await serveCopilotKit(platform, agent, users);
      const { headers } = as('ada');
      const stream = await live(
        app,
        spelling.run('default', oldInput()),
        headers,
      );
      await stream.untilType('TEXT_MESSAGE_CONTENT');
      const stop = async (from: string, body: object) =>
        (await json(send(app, spelling.stop('default', 't1', body), as(from))))
          .body;
      const not = { stopped: false };
      expect(await stop('ada', { runId: 'r2' })).toMatchObject(not);
      expect(await stop('eve', { runId: 'r1' })).toMatchObject(not);
      expect(await stop('eve', {})).toMatchObject(not);
      expect(outcomeOf(stream.events)).toBeUndefined();
      expect(typesOf(stream.events)).not.toContain('RUN_ERROR');
      expect(await stop('ada', {})).toEqual({ stopped: true });
      await stream.ended;
    });

    it('should not see the threads of others', async () => {
      const app = await serveCopilotKit(platform, sayer('Secret'), users);
      const ask = async (who: string, request: Request) =>
        (await send(app, request, as(who))).text();
      await ask('ada', spelling.run('default', oldInput()));
      const connect = spelling.connect('default', oldInput());
      expect(await ask('ada', connect)).toContain('Secret');
      expect(await ask('eve', connect)).toBe('');
    });

    it('should share threads with the routes of AguiModule', async () => {
      const app = await serveCopilotKit(platform, sayer('Hello'));
      await eventsOf(await send(app, spelling.run('default', oldInput())));
      const response = await fetch(`${app.url}/agui/connect`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ threadId: 't1' }),
      });
      expect(await response.text()).toContain('Hello');
    });

    it('should be told that there is no such agent', async () => {
      const app = await serveCopilotKit(platform, sayer('Hi'));
      for (const request of [
        spelling.run('nobody', oldInput()),
        spelling.run('nobody', {}),
        spelling.connect('nobody', oldInput()),
        spelling.stop('nobody', 't1'),
        spelling.run('__proto__', oldInput()),
      ])
        expect(await json(send(app, request))).toMatchObject({
          status: 404,
          body: {
            error: 'Agent not found',
            message: expect.stringMatching(
              /There is no agent "(nobody|__proto__)"/,
            ),
          },
        });
    });

    it('should reach an agent that is not exposed only where agents have paths', async () => {
      for (const enablePathRouting of [true, false]) {
        const app = await serveCopilotKit(platform, sayer('Hi'), {
          enablePathRouting,
          agents: {
            default: sayer('Hi'),
            hidden: { agent: sayer('hidden'), exposed: false },
          },
        });
        for (const [id, expected] of [
          ['default', 200],
          ['hidden', enablePathRouting ? 200 : 404],
        ] as const) {
          const response = await send(app, spelling.run(id, oldInput()));
          expect(response.status).toBe(expected);
          await response.text();
        }
      }
    });

    it('should be told what is wrong with a body', async () => {
      const app = await serveCopilotKit(platform, sayer('Hi'));
      const details = async (request: Request) => {
        const { status, body } = await json(send(app, request));
        expect(status).toBe(400);
        expect(body).toMatchObject({ error: 'Invalid request body' });
        return (body as { details: string }).details;
      };
      expect(
        await details(spelling.run('default', oldInput({ threadId: 5 }))),
      ).toContain('threadId');
      expect(await details(spelling.run('default', 'a text'))).not.toBe('');
      expect(
        await details(spelling.connect('default', { messages: [{}] })),
      ).toContain('threadId');
      expect(
        await details(spelling.stop('default', 't1', { runId: 5 })),
      ).toContain('runId');
    });

    it('should let context resolvers know the agent and the thread', async () => {
      const seen: unknown[] = [];
      const app = await serveCopilotKit(platform, sayer('Hi'), {
        contextResolvers: [
          {
            resolve: ({ pathAgentId, input }) => {
              seen.push([pathAgentId, input.threadId]);
            },
          },
        ],
      });
      for (const request of [
        spelling.run('default', oldInput()),
        spelling.connect('default', oldInput()),
        spelling.stop('default', 't1'),
      ])
        await (await send(app, request)).text();
      expect(seen).toEqual(Array(3).fill(['default', 't1']));
    });

    it('should speak AG-UI 1.0 with who does', async () => {
      const agent = tellerOf((_messages, context) =>
        String(context.get('agui.input')?.protocolVersion),
      );
      const app = await serveCopilotKit(platform, agent);
      const input = oldInput({ protocolVersion: '1.0' });
      const response = await send(app, spelling.run('default', input));
      expect(textOf(await eventsOf(response))).toBe('1.0');
    });
  });

  it.each([
    ['no method', {}, /"method" must be one of info, agent\/run/],
    ['a list', [], /"method" must be one of/],
    ['a method that is not served', { method: 'transcribe' }, /"method"/],
    ['no agent', { method: 'agent/run', body: oldInput() }, /"params"/],
    [
      'half a character as its agent',
      { method: 'agent/run', params: { agentId: '\ud800' } },
      /"params"/,
    ],
    [
      'no thread',
      { method: 'agent/stop', params: { agentId: 'a' } },
      /"params"/,
    ],
  ])(
    'should not understand an envelope with %s',
    async (_what, body, details) => {
      const app = await serveCopilotKit(platform, sayer('Hi'));
      expect(
        await json(send(app, { method: 'POST', path: '', body })),
      ).toMatchObject({
        status: 400,
        body: {
          error: 'Invalid request body',
          details: expect.stringMatching(details),
        },
      });
    },
  );

  it.each([
    ['', '{'],
    ['/agent/default/run', '{"threadId":'],
    ['/agent/default/stop/t1', '{'],
  ])('should be told of bad JSON at "%s"', async (path, body) => {
    const app = await serveCopilotKit(platform, sayer('Hi'));
    expect(await json(send(app, { method: 'POST', path, body }))).toMatchObject(
      {
        status: 400,
        body: {
          error: 'Invalid request body',
          details: expect.stringContaining('The body is no valid JSON.'),
        },
      },
    );
  });

  it('should be told that only JSON is read', async () => {
    const app = await serveCopilotKit(platform, sayer('Hi'));
    const headers = { 'content-type': 'text/plain' };
    for (const path of ['', '/agent/default/run']) {
      const request = { method: 'POST', path, body: oldInput() };
      expect((await send(app, request, { headers })).status).toBe(415);
    }
  });
});
