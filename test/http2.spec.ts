import {
  connect,
  type ClientHttp2Session,
  type ClientHttp2Stream,
} from 'node:http2';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { agentOf, deferred, reply, silentAgent } from './support/agents.js';
import { closeApps, serve, type TestApp } from './support/app.js';
import { inputOf, parseEvents, typesOf } from './support/client.js';
import { untilStill } from './support/settle.js';

const HTTP2 = { fastify: { http2: true } as never };

type Head = Record<string, unknown> & { ':status'?: number };

class Http2Stream {
  text = '';
  head: Head = {};
  private waiting: (() => void)[] = [];

  constructor(readonly stream: ClientHttp2Stream) {
    stream.setEncoding('utf8');
    stream.on('error', () => undefined);
    stream.on('data', (text: string) => {
      this.text += text;
      for (const resolve of this.waiting.splice(0)) resolve();
    });
  }

  async until(found: (text: string) => boolean): Promise<void> {
    while (!found(this.text))
      await new Promise<void>((resolve) => this.waiting.push(resolve));
  }
}

const sessions: ClientHttp2Session[] = [];

function sessionOf({ url }: TestApp): ClientHttp2Session {
  const session = connect(url);
  session.on('error', () => undefined);
  sessions.push(session);
  return session;
}

async function post(
  session: ClientHttp2Session,
  body: unknown = inputOf(),
): Promise<Http2Stream> {
  const stream = session.request({
    ':method': 'POST',
    ':path': '/agui/run',
    'content-type': 'application/json',
  });
  stream.end(typeof body === 'string' ? body : JSON.stringify(body));
  const answer = new Http2Stream(stream);
  [answer.head] = (await once(stream, 'response')) as [Head];
  return answer;
}

describe('HTTP/2 on fastify', () => {
  afterEach(async () => {
    for (const session of sessions.splice(0)) session.destroy();
    await closeApps();
  });

  it('should stream event by event', async () => {
    const steps = [deferred(), deferred()];
    const app = await serve(
      'fastify',
      agentOf(async function* () {
        yield reply.start();
        for (const [index, { promise }] of steps.entries()) {
          await promise;
          yield reply.text(`word ${index} `);
        }
        yield reply.end();
      }),
      {},
      HTTP2,
    );
    const answer = await post(sessionOf(app));

    expect(answer.head).toMatchObject({
      ':status': 200,
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'access-control-allow-origin': '*',
    });
    expect(answer.head).not.toHaveProperty('connection');
    await answer.until((text) => text.includes('RUN_STARTED'));
    for (const [index, { resolve }] of steps.entries()) {
      expect(answer.text).not.toContain(`word ${index} `);
      resolve();
      await answer.until((text) => text.includes(`word ${index} `));
    }
    await once(answer.stream, 'end');
    expect(typesOf(parseEvents(answer.text))).toEqual([
      'RUN_STARTED',
      'TEXT_MESSAGE_START',
      'TEXT_MESSAGE_CONTENT',
      'TEXT_MESSAGE_CONTENT',
      'TEXT_MESSAGE_END',
      'RUN_FINISHED',
    ]);
  });

  it('should carry several runs on one connection, and stop the one that is left', async () => {
    const agents: Record<string, ReturnType<typeof silentAgent>> = {
      one: silentAgent(),
      two: silentAgent(),
    };
    const app = await serve(
      'fastify',
      (_context, input) => agents[input.threadId]!,
      {},
      HTTP2,
    );
    const session = sessionOf(app);
    const one = await post(session, inputOf({ threadId: 'one' }));
    const two = await post(session, inputOf({ threadId: 'two' }));
    await one.until((text) => text.includes('RUN_STARTED'));
    await two.until((text) => text.includes('RUN_STARTED'));
    one.stream.close();
    await agents['one']!.stopped.promise;

    expect(two.stream.closed).toBe(false);
    session.destroy();
    await agents['two']!.stopped.promise;
  });

  it('should pause the agent while the client does not read', async () => {
    let said = 0;
    const stopped = deferred();
    const app = await serve(
      'fastify',
      agentOf(async function* () {
        try {
          yield reply.start();
          for (;;) {
            said++;
            yield reply.text('x'.repeat(64 * 1024));
          }
        } finally {
          stopped.resolve();
        }
      }),
      {},
      HTTP2,
    );
    const { stream } = await post(sessionOf(app));
    stream.pause();

    const before = await untilStill(() => said);
    expect(before).toBeLessThan(500);
    stream.destroy();
    await stopped.promise;
  });

  it('should refuse bad input with 400', async () => {
    const app = await serve('fastify', silentAgent(), {}, HTTP2);
    const answer = await post(sessionOf(app), '{');
    await once(answer.stream, 'end');

    expect(answer.head[':status']).toBe(400);
    expect(JSON.parse(answer.text)).toMatchObject({
      statusCode: 400,
      errors: [{ path: '' }],
    });
  });

  it('should end the streams when the application closes', async () => {
    const app = await serve('fastify', silentAgent(), {}, HTTP2);
    const answer = await post(sessionOf(app));
    await answer.until((text) => text.includes('RUN_STARTED'));
    const ended = once(answer.stream, 'end');
    const start = performance.now();
    await app.app.close();

    expect(performance.now() - start).toBeLessThan(1000);
    await ended;
    expect(parseEvents(answer.text).at(-1)).toMatchObject({
      type: 'RUN_ERROR',
      code: 'INTERRUPTED_ERROR',
    });
  });

  it('should drop a client that does not read when the application closes', async () => {
    let said = 0;
    const app = await serve(
      'fastify',
      agentOf(async function* (_messages, { signal }) {
        yield reply.start();
        while (!signal.aborted) {
          said++;
          yield reply.text('x'.repeat(64 * 1024));
        }
      }),
      { shutdownGrace: 100 },
      HTTP2,
    );
    const { stream } = await post(sessionOf(app));
    stream.pause();
    await untilStill(() => said);
    const start = performance.now();
    await app.app.close();

    expect(performance.now() - start).toBeLessThan(2000);
  });
});
