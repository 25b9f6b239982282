import {
  CompatibilityBoundary,
  FilterToolCallsMiddleware,
  HttpAgent,
} from '@ag-ui/client';
import type { RunAgentInput } from '@ag-ui/core';
import { map } from 'rxjs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  AguiRuntimeContextRequest,
  type AgentSource,
  type RuntimeContext,
} from 'nestjs-agui';
import { agentOf, reply, silentAgent } from './support/agents.js';
import { closeApps, PLATFORMS, serve, type TestApp } from './support/app.js';
import {
  inputOf,
  openStream,
  post,
  run,
  textOf,
  typesOf,
} from './support/client.js';
import { clientOf } from './support/http-agents.js';
import { actor, answer, ask } from './support/interrupting.js';
import {
  CUT,
  HANG,
  useModelServer,
  type Frame,
  type ModelRequest,
} from './support/model-server.js';

afterEach(closeApps);

/** A remote AG-UI server by hand: it says what a test has written. */
const remote = useModelServer();
const said = ({ body }: ModelRequest) => body as unknown as RunAgentInput;

/** The frames of a whole run, under ids of the remote server's own. */
const runOf = (...frames: Frame[]): Frame[] => [
  { type: 'RUN_STARTED', threadId: 'remote thread', runId: 'remote run' },
  ...frames,
  { type: 'RUN_FINISHED', threadId: 'remote thread', runId: 'remote run' },
];
const text = (delta: string): Frame => ({
  type: 'TEXT_MESSAGE_CHUNK',
  messageId: 'm1',
  role: 'assistant',
  delta,
});

/** The usual answer: what the remote server was told. */
const echo = (request: ModelRequest) =>
  runOf(
    text(
      said(request)
        .messages.map(({ content }) => JSON.stringify(content))
        .join(),
    ),
  );

type Said = ReturnType<HttpAgent['run']>;
/** What an agent says, changed; the client has a copy of RxJS of its own. */
const changing = (events: Said, change: (event: object) => object): Said =>
  events.pipe(map(change) as never);

const user = (id: string) => ({ id, role: 'user', content: id });

describe.each(PLATFORMS)('A remote agent behind %s', (platform) => {
  /** An application in front of an agent of another server. */
  const inFrontOf = (
    agent: AgentSource = new HttpAgent({ url: remote.url }),
    options: Parameters<typeof serve>[2] = {},
  ) => serve(platform, agent, options);
  const inFrontOfApp = ({ url }: TestApp) =>
    inFrontOf(new HttpAgent({ url: `${url}/agui/run` }));

  describe('that is one of these applications', () => {
    it('should be heard word for word', async () => {
      const agent = agentOf(async function* (_messages, { toolkit }) {
        const call = { replyId: 'r', toolCallId: 'c', toolCallName: 'look' };
        yield reply.start();
        yield reply.thought('Hm');
        yield reply.text('Hello');
        yield { type: 'TOOL_CALL_START', ...call };
        yield { type: 'TOOL_CALL_DELTA', ...call, delta: '{"a":1}' };
        yield { type: 'TOOL_CALL_END', ...call };
        yield { type: 'TOOL_RESULT_TEXT_DELTA', ...call, delta: 'seen' };
        yield { type: 'TOOL_RESULT_END', ...call, state: 'success' };
        yield { type: 'STATE_UPDATE', state: { n: 1 } };
        yield { type: 'CUSTOM', name: 'tools', value: toolkit.list() };
        yield reply.end();
      });
      const behind = await serve('express', agent, { enableReasoning: true });
      const front = await inFrontOfApp(behind);
      const tools = [{ name: 'paint', description: 'Paints', parameters: {} }];
      const input = inputOf({ tools });

      const direct = await run(behind, input);
      expect(direct.length).toBeGreaterThan(10);
      expect(await run(front, input)).toEqual(direct);
      expect(front.complaints).toEqual([]);
    });

    it('should be stopped when its run is cancelled', async () => {
      const agent = silentAgent([reply.start(), reply.text('Well')]);
      const front = await inFrontOfApp(await serve('express', agent));
      const stream = await openStream(front);
      await stream.untilType('TEXT_MESSAGE_CONTENT');

      await post(front, { threadId: 't1' }, { path: '/agui/cancel' });

      await agent.stopped.promise;
      await stream.ended;
      expect(stream.events.at(-1)).toMatchObject({
        type: 'RUN_FINISHED',
        outcome: { type: 'cancelled' },
      });
    });

    it('should be stopped when the client leaves', async () => {
      const agent = silentAgent([reply.start()]);
      const front = await inFrontOfApp(await serve('express', agent));
      const stream = await openStream(front);
      await stream.untilType('RUN_STARTED');
      stream.leave();
      await agent.stopped.promise;
      expect(front.complaints).toEqual([]);
    });

    it('should ask, and be answered', async () => {
      const agent = actor(ask({ message: 'Really?' }), [reply.text('Thanks')]);
      const front = await inFrontOfApp(await serve('express', agent));
      const client = clientOf(HttpAgent, front);

      await client.runAgent();
      expect(client.pendingInterrupts).toMatchObject([
        { id: 'q1', message: 'Really?' },
      ]);
      await client.runAgent({
        resume: [answer('q1', { sure: true })] as never,
      });

      expect(client.pendingInterrupts).toEqual([]);
      expect(client.messages.at(-1)).toMatchObject({ content: 'Thanks' });
      expect(agent.told[1]?.at(-1)).toMatchObject({
        role: 'tool',
        content: [{ output: [{ text: '{"sure":true}' }] }],
      });
    });
  });

  describe('that somebody else has written', () => {
    it('should be heard under the ids of the run', async () => {
      remote.answer(runOf(text('Hi '), text('you')));
      const front = await inFrontOf();

      expect(await run(front)).toEqual([
        expect.objectContaining({
          type: 'RUN_STARTED',
          threadId: 't1',
          runId: 'r1',
        }),
        expect.objectContaining({ type: 'TEXT_MESSAGE_START' }),
        expect.objectContaining({ delta: 'Hi ' }),
        expect.objectContaining({ delta: 'you' }),
        expect.objectContaining({ type: 'TEXT_MESSAGE_END' }),
        { type: 'RUN_FINISHED', threadId: 't1', runId: 'r1' },
      ]);
    });

    it.each([
      ['while it speaks', [text('Well')]],
      ['before it has said anything', []],
    ])('should lose its connection when cancelled %s', async (_when, first) => {
      remote.answer([...first, HANG]);
      const front = await inFrontOf();
      const stream = await openStream(front);
      if (first.length > 0) await stream.untilType('TEXT_MESSAGE_CONTENT');
      await expect.poll(() => remote.requests.length).toBe(1);

      await post(front, { threadId: 't1' }, { path: '/agui/cancel' });

      await remote.requests[0]!.left;
      await stream.ended;
      expect(stream.events.at(-1)).toMatchObject({
        outcome: { type: 'cancelled' },
      });
      expect(front.complaints).toEqual([]);
    });

    it('should be given the answers to what it has asked', async () => {
      const interrupts = [{ id: 'their id', reason: 'input_required' }];
      remote.answer(
        [
          { type: 'RUN_STARTED', threadId: 'x', runId: 'y' },
          {
            type: 'RUN_FINISHED',
            threadId: 'x',
            runId: 'y',
            outcome: { type: 'interrupt', interrupts },
          },
        ],
        runOf(text('Thanks')),
      );
      const front = await inFrontOf();
      await run(front);
      const refused = await run(front, inputOf({ runId: 'r2' }));
      expect(refused.at(-1)).toMatchObject({
        code: 'AGUI_INTERRUPT_CONTRACT_ERROR',
      });

      const resume = [answer('their id', 42)];
      const events = await run(front, inputOf({ runId: 'r3', resume }));

      expect(textOf(events)).toBe('Thanks');
      expect(remote.requests).toHaveLength(2);
      expect(said(remote.requests[1]!)).toMatchObject({ runId: 'r3', resume });
    });

    it.each<[string, Parameters<typeof remote.answer>[0]]>([
      ['refuses', { status: 401, body: { error: 'who at 10.0.0.5?' } }],
      ['breaks off', [...runOf(text('We')).slice(0, 2), CUT]],
      ['stops short', runOf(text('We')).slice(0, 2)],
      ['says what is no AG-UI', ['not json']],
    ])('should fail when it %s', async (_what, answered) => {
      remote.answer(answered);
      const front = await inFrontOf();
      const events = await run(front);
      expect(events.at(-1)).toMatchObject({
        type: 'RUN_ERROR',
        code: 'INTERNAL_ERROR',
      });
      expect(JSON.stringify(events)).not.toContain('10.0.0.5');
    });

    it('should report failures of its own', async () => {
      const failure = { type: 'RUN_ERROR', message: 'Sold out', code: 'E1' };
      remote.answer([failure]);
      expect((await run(await inFrontOf())).at(-1)).toMatchObject(failure);
    });
  });

  describe('with headers of the request', () => {
    const forwarding = (context: RuntimeContext) => {
      const request = context.get(AguiRuntimeContextRequest)!;
      const authorization = request.firstHeader('Authorization') ?? 'nobody';
      return new HttpAgent({ url: remote.url, headers: { authorization } });
    };
    const authorizations = () =>
      remote.requests.map(({ headers }) => headers.authorization);

    it.each([false, true])(
      'should get those of each run, with server-side memory: %s',
      async (serverSideMemory) => {
        const front = await inFrontOf(forwarding, { serverSideMemory });
        for (const authorization of ['one', 'two']) {
          remote.answer(echo);
          const messages = [user(authorization)];
          await run(front, inputOf({ messages }), {
            headers: { authorization },
          });
        }
        expect(authorizations()).toEqual(['one', 'two']);
      },
    );

    it('should not get others, nor more than those', async () => {
      remote.answer(echo);
      const front = await inFrontOf(forwarding);
      const headers = { cookie: 'secret=1', 'x-other': 'x' };
      await run(front, inputOf(), { headers });
      expect(authorizations()).toEqual(['nobody']);
      expect(remote.requests[0]!.headers).not.toHaveProperty('cookie');
      expect(remote.requests[0]!.headers).not.toHaveProperty('x-other');
    });
  });

  describe('with several threads', () => {
    it('should mix nothing, and keep nothing on the instance', async () => {
      const agent = new HttpAgent({ url: remote.url, threadId: 'own' });
      const front = await inFrontOf(agent);
      const threads = Array.from({ length: 20 }, (_, n) => `thread-${n}`);
      remote.answer(...threads.map(() => echo));

      const heard = await Promise.all(
        threads.map(async (threadId) => {
          const messages = [user(`said in ${threadId}`)];
          return textOf(await run(front, inputOf({ threadId, messages })));
        }),
      );

      expect(heard).toEqual(threads.map((id) => `"said in ${id}"`));
      expect(new Set(remote.requests.map((one) => said(one).threadId))).toEqual(
        new Set(threads),
      );
      const { threadId, messages, state, isRunning } = agent;
      expect({ threadId, messages, state, isRunning }).toEqual({
        threadId: 'own',
        messages: [],
        state: {},
        isRunning: false,
      });
    });

    it('should be told the whole conversation that the server keeps', async () => {
      const front = await inFrontOf(undefined, { serverSideMemory: true });
      for (const id of ['first', 'second']) {
        remote.answer(
          runOf({ ...(text(`to ${id}`) as object), messageId: id + '!' }),
        );
        await run(front, inputOf({ messages: [user(id)] }));
      }
      expect(
        said(remote.requests[1]!).messages.map(({ content }) => content),
      ).toEqual(['first', 'to first', 'second']);
    });
  });

  describe('with middlewares', () => {
    it('should be given and say what they make of it, the first one outermost', async () => {
      const agent = new HttpAgent({ url: remote.url });
      for (const name of ['outer', 'inner'])
        agent.use((input, next) => {
          const context = [...input.context, { description: name, value: '' }];
          return changing(next.run({ ...input, context }), (event) =>
            'delta' in event
              ? { ...event, delta: `${name}(${String(event['delta'])})` }
              : event,
          );
        });
      remote.answer(runOf(text('Hi')));

      const events = await run(await inFrontOf(agent));

      expect(textOf(events)).toBe('outer(inner(Hi))');
      expect(
        said(remote.requests[0]!).context.map(({ description }) => description),
      ).toEqual(['outer', 'inner']);
    });

    it('should see the conversation of their run', async () => {
      const agent = new HttpAgent({ url: remote.url });
      const seen: unknown[] = [];
      agent.use((input, next) => {
        seen.push([next.messages, next.state]);
        return next.run(input);
      });
      remote.answer(echo);
      const input = inputOf({ state: { n: 1 } });
      await run(await inFrontOf(agent), input);
      expect(seen).toEqual([[input.messages, { n: 1 }]]);
    });

    it('should be stopped through them', async () => {
      const agent = new HttpAgent({ url: remote.url });
      agent.use((input, next) => changing(next.run(input), (event) => event));
      remote.answer([text('Well'), HANG]);
      const stream = await openStream(await inFrontOf(agent));
      await stream.untilType('TEXT_MESSAGE_CONTENT');
      stream.leave();
      await expect(remote.requests[0]!.left).resolves.toBeUndefined();
    });

    it('should take those that the client brings along', async () => {
      const agent = new HttpAgent({ url: remote.url });
      agent.use(
        new FilterToolCallsMiddleware({ disallowedToolCalls: ['secret'] }),
      );
      const calls = ['open', 'secret'].flatMap((toolCallName) => [
        { type: 'TOOL_CALL_START', toolCallId: toolCallName, toolCallName },
        { type: 'TOOL_CALL_END', toolCallId: toolCallName },
      ]);
      remote.answer(runOf(...calls));
      const events = await run(await inFrontOf(agent));
      expect(
        events
          .filter(({ type }) => type === 'TOOL_CALL_START')
          .map(({ toolCallName }) => toolCallName),
      ).toEqual(['open']);
    });

    it('should understand a server from before AG-UI 1.0 by one', async () => {
      const warn = vi
        .spyOn(console, 'warn')
        .mockImplementation(() => undefined);
      const agent = new HttpAgent({ url: remote.url });
      agent.use(new CompatibilityBoundary());
      remote.answer(
        runOf(
          { type: 'THINKING_START' },
          { type: 'THINKING_TEXT_MESSAGE_START' },
          { type: 'THINKING_TEXT_MESSAGE_CONTENT', delta: 'Hm' },
          { type: 'THINKING_TEXT_MESSAGE_END' },
          { type: 'THINKING_END' },
        ),
      );
      const events = await run(await inFrontOf(agent));
      warn.mockRestore();
      expect(textOf(events)).toBe('Hm');
      expect(typesOf(events)).toContain('REASONING_MESSAGE_CONTENT');
    });
  });
});

describe("A factory's context", () => {
  it.each([false, true])(
    'should have a signal that fires when the run is cancelled, with server-side memory: %s',
    async (serverSideMemory) => {
      remote.answer([HANG]);
      const signals: AbortSignal[] = [];
      const agent = ({ signal }: RuntimeContext) => {
        signals.push(signal);
        return new HttpAgent({ url: remote.url });
      };
      const app = await serve('express', agent, { serverSideMemory });
      const stream = await openStream(app);
      await expect.poll(() => remote.requests.length).toBe(1);
      await post(app, { threadId: 't1' }, { path: '/agui/cancel' });
      await stream.ended;
      await expect.poll(() => signals[0]?.aborted).toBe(true);
    },
  );
});
