import http from 'node:http';
import { connect } from 'node:http2';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { agentOf, deferred, reply, silentAgent } from './support/agents.js';
import { closeApps, PLATFORMS, serve } from './support/app.js';
import { inputOf, openSocket, openStream, typesOf } from './support/client.js';
import { nextConnection, untilStill } from './support/settle.js';

/** More than the kernel takes for a client that does not read. */
const LARGE = 'x'.repeat(15_000_000);
const DROPPED = /warn: The client of run "r1" .* took nothing for 200 ms/;

/** Reads to the end, with a pause after every few megabytes. @returns the last that came. */
async function readSlowly(socket: Socket, pause: number): Promise<string> {
  let [last, read] = ['', 0];
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    last = chunk;
    read += chunk.length;
    if (read < 3_000_000) return;
    read = 0;
    socket.pause();
    setTimeout(() => socket.resume(), pause);
  });
  socket.resume();
  await once(socket, 'close');
  return last;
}

describe.each(PLATFORMS)('slowClientTimeout on %s', (platform) => {
  afterEach(closeApps);

  it.each([true, false])(
    'should drop a client that stops reading (interruptOnDisconnect: %s)',
    async (interruptOnDisconnect) => {
      let said = 0;
      const over = deferred<boolean>();
      const app = await serve(
        platform,
        agentOf(async function* (_messages, { signal }) {
          try {
            yield reply.start();
            for (; said < 500; said++) yield reply.text('x'.repeat(64 * 1024));
            yield reply.end();
          } finally {
            over.resolve(signal.aborted);
          }
        }),
        { slowClientTimeout: 200, interruptOnDisconnect },
      );
      const connection = nextConnection(app);
      const socket = await openSocket(app);
      const closed = once(await connection, 'close');
      expect(await untilStill(() => said)).toBeLessThan(500);

      await closed;
      expect(await over.promise).toBe(interruptOnDisconnect);
      expect(said === 500).toBe(!interruptOnDisconnect);
      expect(app.log.join('\n')).toMatch(DROPPED);
      socket.destroy();
    },
  );

  it('should drop a client that does not read the end of its stream', async () => {
    const app = await serve(
      platform,
      agentOf(async function* () {
        yield reply.text(LARGE);
      }),
      { slowClientTimeout: 200 },
    );
    const connection = nextConnection(app);
    const socket = await openSocket(app);

    await once(await connection, 'close');
    expect(app.log.join('\n')).toMatch(DROPPED);
    socket.destroy();
  });

  it('should bear a client that reads a little now and then, also of one large event', async () => {
    const app = await serve(
      platform,
      agentOf(async function* () {
        yield reply.start();
        yield reply.text(LARGE);
        yield reply.end();
      }),
      { slowClientTimeout: 400 },
    );
    const socket = await openSocket(app, inputOf(), ['Connection: close']);

    expect(await readSlowly(socket, 150)).toContain('RUN_FINISHED');
    expect(app.complaints).toEqual([]);
  });

  it('should not be taken from an agent that says nothing', async () => {
    const app = await serve(
      platform,
      agentOf(async function* () {
        yield reply.start();
        await sleep(300);
        yield reply.end();
      }),
      { slowClientTimeout: 100, heartbeatInterval: 0 },
    );
    const stream = await openStream(app);
    await stream.ended;

    expect(typesOf(stream.events).at(-1)).toBe('RUN_FINISHED');
  });

  it('should leave the connection with the timeouts that the application has set', async () => {
    const app = await serve(
      platform,
      agentOf(async function* (_messages, { sessionId }) {
        yield reply.start();
        if (sessionId === 'large') yield reply.text(LARGE);
        yield reply.end();
      }),
      { slowClientTimeout: 12_345 },
      {
        configure: (own) => {
          const server = own.getHttpServer() as http.Server;
          server.timeout = 54_321;
          server.keepAliveTimeout = 0;
        },
      },
    );
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    const connection = nextConnection(app);
    const timeouts: (number | undefined)[] = [];
    for (const threadId of ['large', 'small']) {
      const stream = await openStream(app, inputOf({ threadId }), {}, agent);
      await stream.ended;
      timeouts.push((await connection).timeout);
    }
    agent.destroy();

    expect(timeouts).toEqual([54_321, 54_321]);
  });
});

describe('slowClientTimeout on HTTP/2', () => {
  afterEach(closeApps);

  it('should drop the stream that is not read, and no other of its connection', async () => {
    const quiet = silentAgent([reply.start()]);
    const app = await serve(
      'fastify',
      (context) =>
        context.sessionId === 'quiet'
          ? quiet
          : agentOf(async function* (_messages, { signal }) {
              yield reply.start();
              while (!signal.aborted) yield reply.text('x'.repeat(64 * 1024));
            }),
      { slowClientTimeout: 200 },
      { fastify: { http2: true } as never },
    );
    const session = connect(app.url);
    const [kept, left] = ['quiet', 't1'].map((threadId) => {
      const stream = session.request({
        ':method': 'POST',
        ':path': '/agui/run',
        'content-type': 'application/json',
      });
      stream.end(JSON.stringify(inputOf({ threadId })));
      return stream.on('error', () => undefined);
    });
    await quiet.started.promise;

    await vi.waitUntil(() => DROPPED.test(app.log.join('\n')));
    left!.resume();
    await once(left!, 'close');
    expect(kept!.closed).toBe(false);
    kept!.destroy();
    await quiet.stopped.promise;
    session.destroy();
  });
});
