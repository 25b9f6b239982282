import http from 'node:http';
import { once } from 'node:events';
import { EventType } from '@ag-ui/core';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  aborted,
  agentOf,
  deferred,
  reply,
  sayer,
  silentAgent,
} from './support/agents.js';
import { closeApps, PLATFORMS, serve, type TestApp } from './support/app.js';
import {
  inputOf,
  openSocket,
  openStream,
  post,
  typesOf,
} from './support/client.js';
import { allGone, untilStill } from './support/settle.js';

const CLOSING = {
  type: 'RUN_ERROR',
  message: 'The server is shutting down.',
  code: 'INTERRUPTED_ERROR',
};

/** Closes an application as a signal would: open connections are left to it. */
async function timeToClose({ app }: TestApp): Promise<number> {
  const start = performance.now();
  await app.close();
  return performance.now() - start;
}

/** An agent that has more to say than a client that does not read can take. */
function flood(counter: { said: number }) {
  return agentOf(async function* (_messages, { signal }) {
    yield reply.start();
    while (!signal.aborted) {
      counter.said++;
      yield reply.text('x'.repeat(64 * 1024));
    }
  });
}

describe.each(PLATFORMS)('closing the application on %s', (platform) => {
  afterEach(closeApps);

  it('should end every open stream with a terminal event, and stop the agents', async () => {
    const agents = {
      default: silentAgent(),
      talking: silentAgent([reply.start(), reply.text('Well')]),
    };
    const app = await serve(platform, agents.default, { agents });
    const streams = [
      await openStream(app),
      await openStream(app, inputOf({ threadId: 't2' }), {
        path: '/agui/run/talking',
      }),
    ];
    await streams[1]!.untilType('TEXT_MESSAGE_CONTENT');

    expect(await timeToClose(app)).toBeLessThan(1000);
    for (const stream of streams) {
      await stream.ended;
      expect(stream.events[0]).toMatchObject({ type: 'RUN_STARTED' });
      expect(stream.events.at(-1)).toMatchObject(CLOSING);
    }
    expect(typesOf(streams[1]!.events).at(-2)).toBe('TEXT_MESSAGE_END');
    await agents.default.stopped.promise;
    await agents.talking.stopped.promise;
  });

  it('should end the stream of an agent that does not listen to its signal', async () => {
    const app = await serve(
      platform,
      agentOf(async function* () {
        yield reply.start();
        await new Promise(() => undefined);
      }),
    );
    const stream = await openStream(app);
    await stream.untilType('RUN_STARTED');

    expect(await timeToClose(app)).toBeLessThan(1000);
    await stream.ended;
    expect(stream.events.at(-1)).toMatchObject(CLOSING);
  });

  it('should end a protobuf stream, too', async () => {
    const app = await serve(platform, silentAgent());
    const stream = await openStream(app, inputOf(), {
      headers: { accept: 'application/vnd.ag-ui.event+proto' },
    });
    await stream.until((text) => text.includes('t1'));

    expect(await timeToClose(app)).toBeLessThan(1000);
    await stream.ended;
    expect(stream.text).toContain(CLOSING.message);
  });

  it('should end the stream of a protocol agent that has said nothing', async () => {
    const stopped = deferred();
    const app = await serve(platform, {
      async *run() {
        await stopped.promise;
        yield { type: EventType.RUN_FINISHED } as never;
      },
      abortRun: () => stopped.resolve(),
    });
    const stream = await openStream(app);

    expect(await timeToClose(app)).toBeLessThan(1000);
    await stream.ended;
    expect(stream.events.at(-1)).toMatchObject(CLOSING);
    await stopped.promise;
  });

  it('should not be delayed by clients that keep their connection alive', async () => {
    const gate = deferred();
    const app = await serve(
      platform,
      agentOf(async function* (_messages, { sessionId, signal }) {
        yield reply.start();
        if (sessionId === 'long') await aborted(signal);
        if (sessionId === 'middle') await gate.promise;
        yield reply.end();
      }),
    );
    const agent = new http.Agent({ keepAlive: true });
    const open = (threadId: string) =>
      openStream(app, inputOf({ threadId }), {}, agent);
    const [long, middle, short] = await Promise.all(
      ['long', 'middle', 'short'].map(open),
    );
    await short!.ended;
    gate.resolve();
    await middle!.ended;

    expect(await timeToClose(app)).toBeLessThan(1000);
    await long!.ended;
    expect(long!.events.at(-1)).toMatchObject(CLOSING);
    agent.destroy();
  });

  it('should refuse new runs with 503 while it waits for a slow client', async () => {
    const counter = { said: 0 };
    const app = await serve(platform, flood(counter), { shutdownGrace: 600 });
    const socket = await openSocket(app);
    await untilStill(() => counter.said);
    const closing = timeToClose(app);
    await vi.waitUntil(() => app.log.join('\n').includes('Ending 1 run'));

    const response = await post(app);
    expect(response.status).toBe(503);
    expect(response.headers.get('connection')).toBe('close');
    expect(await response.json()).toMatchObject({
      statusCode: 503,
      message: 'The server is shutting down.',
    });
    await closing;
    socket.destroy();
  });

  it('should drop a client that does not read after the grace', async () => {
    const counter = { said: 0 };
    const app = await serve(platform, flood(counter), { shutdownGrace: 300 });
    const socket = await openSocket(app);
    await untilStill(() => counter.said);

    const time = await timeToClose(app);
    expect(time).toBeGreaterThan(290);
    expect(time).toBeLessThan(1500);
    socket.destroy();
  });

  it('should wait for a slow client that reads in time', async () => {
    const counter = { said: 0 };
    const app = await serve(platform, flood(counter));
    const socket = await openSocket(app);
    await untilStill(() => counter.said);
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    const left = once(socket, 'close');
    const closing = timeToClose(app);
    await vi.waitUntil(() => app.log.join('\n').includes('Ending 1 run'));
    socket.resume();

    expect(await closing).toBeLessThan(3000);
    await left;
    expect(text.includes(CLOSING.message)).toBe(true);
    expect(text.endsWith('\r\n0\r\n\r\n')).toBe(true);
  });

  it('should refuse with 503 a run that is being prepared', async () => {
    const making = deferred();
    let asked = 0;
    const app = await serve(platform, async ({ signal }) => {
      making.resolve();
      await aborted(signal);
      return agentOf(async function* () {
        asked++;
        yield reply.start();
      });
    });
    const response = post(app);
    await making.promise;

    expect(await timeToClose(app)).toBeLessThan(1000);
    expect((await response).status).toBe(503);
    expect(await (await response).json()).toMatchObject({ statusCode: 503 });
    expect(asked).toBe(0);
    expect(app.log.filter((line) => line.startsWith('error'))).toEqual([]);
  });

  it('should refuse with 503 a run whose preparation hangs', async () => {
    const making = deferred();
    const app = await serve(platform, () => {
      making.resolve();
      return new Promise<never>(() => undefined);
    });
    const response = post(app);
    await making.promise;

    expect(await timeToClose(app)).toBeLessThan(1000);
    expect((await response).status).toBe(503);
  });

  it('should stop a run that goes on without its client', async () => {
    const stopped = deferred();
    const app = await serve(
      platform,
      agentOf(async function* (_messages, { signal }) {
        yield reply.start();
        await aborted(signal);
        stopped.resolve();
      }),
      { interruptOnDisconnect: false },
    );
    const stream = await openStream(app);
    await stream.untilType('RUN_STARTED');
    stream.leave();
    await allGone(app);

    expect(await timeToClose(app)).toBeLessThan(1000);
    await stopped.promise;
  });

  it('should stop an agent that tidies up behind its end', async () => {
    const stopped = deferred();
    const app = await serve(
      platform,
      agentOf(async function* (_messages, { signal }) {
        yield reply.start();
        yield reply.end();
        await aborted(signal);
        stopped.resolve();
      }),
    );
    const stream = await openStream(app);
    await stream.ended;
    expect(typesOf(stream.events)).toEqual(['RUN_STARTED', 'RUN_FINISHED']);

    expect(await timeToClose(app)).toBeLessThan(1000);
    await stopped.promise;
  });

  it('should close at once when nothing is going on', async () => {
    const app = await serve(platform, sayer('Hi'));
    const agent = new http.Agent({ keepAlive: true });
    await (
      await openStream(app, inputOf(), {}, agent)
    ).ended;

    expect(await timeToClose(app)).toBeLessThan(500);
    expect(app.log.join('\n')).not.toContain('Ending');
    agent.destroy();
  });
});
