import type { Server } from 'node:http';
import {
  UnauthorizedException,
  VersioningType,
  type INestApplication,
  type ModuleMetadata,
} from '@nestjs/common';
import { RouterModule } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { AguiModule } from 'nestjs-agui';
import { FakeAgent, runAgent } from 'nestjs-agui/testing';
import 'nestjs-agui/testing/vitest';
import { deferred } from './support/agents.js';
import { PLATFORMS, type Platform } from './support/app.js';
import type { RootOptions } from './support/module-app.js';

const open: INestApplication[] = [];

/** An application as a test of a user's makes it: it does not listen. */
async function applicationOf(
  platform: Platform,
  imports: ModuleMetadata['imports'],
): Promise<INestApplication> {
  const module = await Test.createTestingModule({ imports }).compile();
  const app = module.createNestApplication(
    platform === 'express' ? new ExpressAdapter() : new FastifyAdapter(),
    { logger: false },
  );
  open.push(app);
  return app;
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((app) => app.close()));
});

describe.each(PLATFORMS)('runAgent on %s', (platform) => {
  const serve = (agent: FakeAgent, options: RootOptions = {}) =>
    applicationOf(platform, [
      AguiModule.forRoot({ agents: { default: agent }, ...options }),
    ]);

  it('should return what a client has of the run', async () => {
    const app = await serve(
      new FakeAgent([
        { state: { city: 'Paris' } },
        {
          toolCall: 'get_weather',
          args: { city: 'Paris' },
          result: { sky: 'blue' },
        },
        'It is ',
        'sunny.',
      ]),
    );
    const run = await runAgent(app, 'The weather in Paris?');
    expect(run).toBeLegalAguiStream();
    expect(run).toMatchObject({
      text: 'It is sunny.',
      state: { city: 'Paris' },
      outcome: 'success',
      interrupts: [],
      input: {
        protocolVersion: '1.0',
        messages: [{ role: 'user', content: 'The weather in Paris?' }],
      },
      newMessages: [
        {
          role: 'assistant',
          toolCalls: [
            {
              function: { name: 'get_weather', arguments: '{"city":"Paris"}' },
            },
          ],
        },
        { role: 'tool', content: '{"sky":"blue"}' },
        { role: 'assistant', content: 'It is sunny.' },
      ],
    });
    expect(run.error).toBeUndefined();
    expect(run.messages).toEqual([...run.input.messages, ...run.newMessages]);
    expect(run.events[0]).toMatchObject({
      type: 'RUN_STARTED',
      threadId: run.input.threadId,
      runId: run.input.runId,
    });
    expect(run.events.at(-1)).toMatchObject({ type: 'RUN_FINISHED' });
  });

  it('should go on with a thread, and answer what it waits for', async () => {
    const agent = new FakeAgent(
      { interrupt: { message: 'Which city?' } },
      ({ context }) =>
        `You said ${JSON.stringify(context.get('agui.resume')![0]!.payload)}.`,
    );
    const app = await serve(agent);
    const first = await runAgent(app, 'The weather?');
    expect(first).toMatchObject({
      outcome: 'interrupt',
      interrupts: [{ reason: 'input_required', message: 'Which city?' }],
    });
    const second = await runAgent(app, {
      threadId: first.input.threadId,
      messages: first.messages,
      resume: [
        {
          interruptId: first.interrupts[0]!.id,
          status: 'resolved',
          payload: 'Paris',
        },
      ],
    });
    expect(second).toMatchObject({
      outcome: 'success',
      text: 'You said "Paris".',
    });
    expect(agent.runs).toHaveLength(2);
  });

  it('should return what RUN_ERROR said', async () => {
    const app = await serve(
      new FakeAgent(['Well, ', new UnauthorizedException('Log in first.')]),
    );
    const run = await runAgent(app, 'Hi');
    expect(run).toMatchObject({
      outcome: 'error',
      error: { message: 'Log in first.', code: 'HTTP_401' },
      text: 'Well, ',
    });
    expect(run).toBeLegalAguiStream();
  });

  it('should throw what refuses the request', async () => {
    const app = await serve(new FakeAgent(), {
      guards: [
        {
          canActivate: (context) =>
            context
              .switchToHttp()
              .getRequest<{ headers: Record<string, string> }>().headers[
              'authorization'
            ] === 'yes',
        },
      ],
    });
    await expect(runAgent(app, 'Hi')).rejects.toMatchObject({
      status: 403,
      payload: { statusCode: 403 },
    });
    const headers = { authorization: 'yes' };
    await expect(
      runAgent(app, 'Hi', { headers, agentId: 'nobody/else' }),
    ).rejects.toMatchObject({ status: 404 });
    expect(await runAgent(app, 'Hi', { headers })).toMatchObject({
      outcome: 'success',
      text: '',
    });
  });

  it('should leave when it is told to', async () => {
    const stopped = deferred();
    const agent = new FakeAgent([
      'One',
      ({ context }) => {
        context.signal.addEventListener('abort', () => stopped.resolve());
        return undefined;
      },
      new Promise(() => undefined),
    ]);
    const app = await serve(agent);
    const leaving = new AbortController();
    const run = await runAgent(app, 'Hi', {
      signal: leaving.signal,
      onEvent: ({ type }) => type === 'TEXT_MESSAGE_CONTENT' && leaving.abort(),
    });
    expect(run).toMatchObject({ outcome: undefined, text: 'One' });
    expect(() => expect(run).toBeLegalAguiStream()).toThrow('not-finished');
    await stopped.promise;
    await expect(
      runAgent(app, 'Hi', { signal: AbortSignal.abort(new Error('no')) }),
    ).rejects.toThrow('no');
  });

  it('should throw what breaks the stream off', async () => {
    const app = await serve(
      new FakeAgent(['One', new Promise(() => undefined)]),
    );
    const broken = runAgent(app, 'Hi', {
      onEvent: ({ type }) =>
        type === 'TEXT_MESSAGE_CONTENT' &&
        (app.getHttpServer() as Server).closeAllConnections(),
    });
    await expect(broken).rejects.toThrow('aborted');
  });

  it('should speak as a client from before AG-UI 1.0, if it is told to', async () => {
    const app = await serve(new FakeAgent({ toolCall: 'look' }));
    const old = await runAgent(app, { protocolVersion: undefined });
    expect(old.events.at(-1)).not.toHaveProperty('outcome.pendingToolCallIds');
    expect(old).toBeLegalAguiStream();
    const now = await runAgent(app);
    expect(now.events.at(-1)).toHaveProperty('outcome.pendingToolCallIds');
  });

  it('should have an application listen once, however many ask', async () => {
    const app = await serve(new FakeAgent('Hello'));
    const runs = await Promise.all(
      Array.from({ length: 5 }, () => runAgent(app)),
    );
    expect(runs.map(({ text }) => text)).toEqual(Array(5).fill('Hello'));
    expect(new Set(runs.map(({ input }) => input.threadId)).size).toBe(5);
  });

  it('should ask an application that listens already, or is ready to', async () => {
    const app = await serve(new FakeAgent('Hello'));
    await app.init();
    expect((await runAgent(app)).text).toBe('Hello');
    const other = await serve(new FakeAgent('Hello'));
    await other.listen(0, '127.0.0.1');
    const { port } = other.getHttpServer().address() as { port: number };
    expect((await runAgent(other)).text).toBe('Hello');
    expect(other.getHttpServer().address()).toMatchObject({ port });
  });
});

describe('runAgent', () => {
  const root = (options: Parameters<typeof AguiModule.forRoot>[0] = {}) =>
    AguiModule.forRoot({
      agents: {
        default: new FakeAgent('Hello'),
        other: new FakeAgent('Other'),
      },
      ...options,
    });

  it.each<
    [string, ModuleMetadata['imports'], ((app: INestApplication) => unknown)?]
  >([
    ['a prefix', [root()], (app) => app.setGlobalPrefix('/api/')],
    [
      'a prefix with exceptions',
      [root()],
      (app) => app.setGlobalPrefix('api', { exclude: ['agui/{*rest}'] }),
    ],
    ['a version', [root({ version: '2' })], (app) => app.enableVersioning()],
    [
      'versions',
      [root({ version: ['2', '3'] })],
      (app) =>
        app.enableVersioning({ type: VersioningType.URI, prefix: 'version-' }),
    ],
    [
      'a default version',
      [root()],
      (app) =>
        app.enableVersioning({ type: VersioningType.URI, defaultVersion: '4' }),
    ],
    ['a path', [root({ pathPrefix: 'ai/chat/' })]],
    [
      'a module’s path',
      [
        root({ pathPrefix: '/' }),
        RouterModule.register([{ path: '/team', module: AguiModule }]),
      ],
    ],
  ])('should find the route below %s', async (_what, imports, configure) => {
    const app = await applicationOf('express', imports);
    await configure?.(app);
    expect((await runAgent(app, 'Hi')).text).toBe('Hello');
    expect((await runAgent(app, 'Hi', { agentId: 'other' })).text).toBe(
      'Other',
    );
  });

  it('should ask another route', async () => {
    const app = await applicationOf('express', [root()]);
    const { input } = await runAgent(app, 'Hi');
    const connected = await runAgent(
      app,
      { threadId: input.threadId },
      { path: '/agui/connect' },
    );
    expect(connected.messages).toMatchObject([
      { content: 'Hi' },
      { content: 'Hello' },
    ]);
  });

  it('should say what it needs', async () => {
    const app = await applicationOf('express', []);
    await expect(runAgent(app)).rejects.toThrow('{ path }');
  });
});
