import http from 'node:http';
import type { Agent } from 'nestjs-agui';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  aborted,
  agentOf,
  deferred,
  reply,
  sayer,
  silentAgent,
} from './support/agents.js';
import { asFastify, closeApps, PLATFORMS, serve } from './support/app.js';
import {
  inputOf,
  openSocket,
  openStream,
  run,
  textOf,
} from './support/client.js';
import { allGone, nextConnection, untilStill } from './support/settle.js';
import { timeOf } from './support/leaving.js';

describe.each(PLATFORMS)('a client that leaves on %s', (platform) => {
  afterEach(closeApps);

  it('should fire the signal and run the finally of a silent agent at once', async () => {
    const agent = silentAgent();
    const app = await serve(platform, agent);
    const stream = await openStream(app);
    await agent.started.promise;

    stream.leave();
    expect(await timeOf(agent.stopped.promise)).toBeLessThan(100);
  });

  it('should fire the signal, then interrupt the agent, then let it clean up', async () => {
    const order: string[] = [];
    const done = deferred();
    const agent = agentOf(
      async function* (_messages, { signal }) {
        signal.addEventListener('abort', () => order.push('signal'));
        try {
          yield reply.start();
          for (;;) {
            await aborted(signal);
            yield reply.text('too late');
          }
        } finally {
          order.push('finally');
          done.resolve();
        }
      },
      {
        interrupt(context) {
          order.push(`interrupt, aborted: ${context.signal.aborted}`);
        },
      },
    );
    const app = await serve(platform, agent);
    const stream = await openStream(app);
    await stream.untilType('RUN_STARTED');
    stream.leave();
    await done.promise;

    expect(order).toEqual(['signal', 'interrupt, aborted: true', 'finally']);
  });

  it('should stop an agent that never pauses', async () => {
    const done = deferred<number>();
    const app = await serve(
      platform,
      agentOf(async function* () {
        let count = 0;
        try {
          yield reply.start();
          for (;;) {
            await new Promise(setImmediate);
            yield reply.text(`word ${count++} `);
          }
        } finally {
          done.resolve(count);
        }
      }),
    );
    const stream = await openStream(app);
    await stream.until((text) => text.includes('word 20 '));
    stream.leave();

    expect(await done.promise).toBeGreaterThan(20);
  });

  it('should unsubscribe from an Observable', async () => {
    const { Observable } = await import('rxjs');
    const unsubscribed = deferred();
    const app = await serve(
      platform,
      agentOf(
        () =>
          new Observable((subscriber) => {
            subscriber.next(reply.start());
            return () => unsubscribed.resolve();
          }),
      ),
    );
    const stream = await openStream(app);
    await stream.untilType('RUN_STARTED');
    stream.leave();

    expect(await timeOf(unsubscribed.promise)).toBeLessThan(100);
  });

  it('should not be taken from the end of the request body', async () => {
    const go = deferred();
    const app = await serve(
      platform,
      agentOf(async function* (_messages, { signal }) {
        yield reply.start();
        await go.promise;
        yield reply.text(signal.aborted ? 'stopped' : 'still here');
        yield reply.end();
      }),
    );
    const stream = await openStream(app);
    await stream.untilType('RUN_STARTED');
    go.resolve();
    await stream.ended;

    expect(stream.text).toContain('still here');
  });

  it('should not stop the agent when interruptOnDisconnect is off', async () => {
    const [go, finished] = [deferred(), deferred<boolean>()];
    const app = await serve(
      platform,
      agentOf(async function* (_messages, { signal }) {
        yield reply.start();
        await go.promise;
        for (let word = 0; word < 5000; word++) yield reply.text('more ');
        yield reply.end();
        finished.resolve(signal.aborted);
      }),
      { interruptOnDisconnect: false },
    );
    const stream = await openStream(app);
    await stream.untilType('RUN_STARTED');
    stream.leave();
    await allGone(app);
    go.resolve();

    expect(await finished.promise).toBe(false);
  });

  it('should release an agent that waits for it to read, and let it run on, when interruptOnDisconnect is off', async () => {
    const finished = deferred();
    let said = 0;
    const app = await serve(
      platform,
      agentOf(async function* () {
        yield reply.start();
        for (; said < 2000; said++) yield reply.text('x'.repeat(10_000));
        yield reply.end();
        finished.resolve();
      }),
      { interruptOnDisconnect: false },
    );
    const socket = await openSocket(app);
    await vi.waitUntil(() => said > 0);
    expect(await untilStill(() => said)).toBeLessThan(2000);
    socket.destroy();

    await finished.promise;
    expect(said).toBe(2000);
  });

  it('should fire the signal that the factory of the agent was given, too', async () => {
    const told = deferred<string>();
    const app = await serve(platform, (context) => {
      void aborted(context.signal).then(() => told.resolve('told'));
      return silentAgent();
    });
    const stream = await openStream(app);
    await stream.untilType('RUN_STARTED');
    stream.leave();

    expect(await told.promise).toBe('told');
  });

  it('should not be taken from the end of a run', async () => {
    const signals: AbortSignal[] = [];
    const app = await serve(platform, (context) => {
      signals.push(context.signal);
      return agentOf(async function* (_messages, { signal }) {
        signals.push(signal);
        yield reply.start();
        yield reply.end();
      });
    });
    await run(app);
    await app.close();

    expect(signals.map((signal) => signal.aborted)).toEqual([false, false]);
  });

  it('should not harm the agent that its thread keeps', async () => {
    const stopped = deferred();
    const app = await serve(
      platform,
      (made) =>
        agentOf(async function* (_messages, { signal }) {
          yield reply.start();
          yield reply.text(made.signal.aborted ? 'harmed' : 'unharmed');
          await Promise.race([aborted(signal), stopped.promise]);
          stopped.resolve();
          yield reply.end();
        }),
      { serverSideMemory: true },
    );
    const stream = await openStream(app);
    await stream.untilType('TEXT_MESSAGE_CONTENT');
    stream.leave();
    await stopped.promise;

    expect(textOf(await run(app))).toBe('unharmed');
  });

  it('should stop both runs of a pipelining client', async () => {
    const agents: Record<string, Agent & ReturnType<typeof silentAgent>> = {
      first: silentAgent(),
      second: silentAgent(),
    };
    const app = await serve(
      platform,
      (_context, input) => agents[input.runId]!,
    );
    const socket = await openSocket(
      app,
      inputOf({ threadId: 'first', runId: 'first' }),
    );
    const body = JSON.stringify(
      inputOf({ threadId: 'second', runId: 'second' }),
    );
    socket.write(
      `POST /agui/run HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    await agents.first!.started.promise;
    await agents.second!.started.promise;
    socket.destroy();

    const stopped = Object.values(agents).map((agent) => agent.stopped.promise);
    expect(await timeOf(Promise.all(stopped))).toBeLessThan(100);
  });
});

describe.each(PLATFORMS)('200 clients that leave on %s', (platform) => {
  afterEach(closeApps);

  it('should leave no timer, no listener and no run behind', async () => {
    const warnings: string[] = [];
    const warned = (warning: Error) => warnings.push(warning.message);
    process.on('warning', warned);
    const active = () =>
      process.getActiveResourcesInfo().filter((name) => name === 'Timeout')
        .length;
    let running = 0;
    const app = await serve(
      platform,
      agentOf(async function* (_messages, { signal }) {
        running++;
        try {
          yield reply.start();
          await aborted(signal);
        } finally {
          running--;
        }
      }),
    );
    const agent = new http.Agent({ keepAlive: true });
    const before = active();
    for (let round = 0; round < 10; round++) {
      const streams = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          openStream(app, inputOf({ threadId: `t${n}` }), {}, agent),
        ),
      );
      expect(running).toBe(20);
      for (const stream of streams) stream.leave();
      await vi.waitUntil(() => running === 0);
    }
    await allGone(app);
    process.off('warning', warned);
    agent.destroy();

    expect(warnings).toEqual([]);
    expect(active()).toBeLessThanOrEqual(before + 2);
  });

  it('should leave no listener on a connection that is used again', async () => {
    const app = await serve(platform, sayer('Hi'));
    const connection = nextConnection(app);
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    const counts: number[] = [];
    for (let round = 0; round < 15; round++) {
      const stream = await openStream(app, inputOf(), {}, agent);
      await stream.ended;
      const socket = await connection;
      counts.push(
        ['close', 'error', 'drain', 'end'].reduce(
          (sum, name) => sum + socket.listenerCount(name),
          0,
        ),
      );
    }
    agent.destroy();

    expect(Math.max(...counts.slice(1))).toBe(Math.min(...counts.slice(1)));
  });
});

describe('a request that is injected into fastify', () => {
  afterEach(closeApps);

  it('should be answered with the whole stream', async () => {
    const app = await serve('fastify', sayer('Hi'));
    const response = await asFastify(app.app).inject({
      method: 'POST',
      url: '/agui/run',
      payload: inputOf(),
    });

    expect(response.statusCode).toBe(200);
    expect(response.headers['content-type']).toBe('text/event-stream');
    expect(response.payload).toContain('RUN_FINISHED');
  });

  it('should be ended when the application closes', async () => {
    const agent = silentAgent();
    const app = await serve('fastify', agent);
    const response = asFastify(app.app).inject({
      method: 'POST',
      url: '/agui/run',
      payload: inputOf(),
    });
    void response.catch(() => undefined);
    await agent.started.promise;
    await app.app.close();

    expect((await response).payload).toContain('INTERRUPTED_ERROR');
    expect(app.complaints).toEqual([]);
  });
});
