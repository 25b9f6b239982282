import http from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { PLATFORMS } from '../support/app.js';
import { typesOf } from '../support/client.js';
import { Arrivals } from './support/arrivals.js';
import { FaultServer, type ServerOptions } from './support/fault-server.js';
import { measured } from './support/measured.js';
import { Nginx } from './support/nginx.js';
import type { Script } from './support/scripted-agent.js';
import { scripted } from './support/scripted-run.js';

/** A word now and then. */
const WORDS: Script = { pieces: 8, pause: 300 };
/** Two words, and a silence before each that is longer than nginx has patience. */
const SILENCE: Script = { pieces: 2, pause: 3_000 };

const proxies: Nginx[] = [];

afterEach(async () => {
  await Promise.all(proxies.splice(0).map((proxy) => proxy.stop()));
});
afterAll(() => FaultServer.killAll());

function start(options: ServerOptions): Promise<FaultServer> {
  return FaultServer.start({
    ...options,
    // When each event was said is on it.
    agui: { baseEventPropertiesEnricherEnabled: true, ...options.agui },
  });
}

async function nginx({ port }: FaultServer, settings = ''): Promise<Nginx> {
  const proxy = await Nginx.start(port, settings);
  proxies.push(proxy);
  return proxy;
}

/** The response to a script that is run. */
async function run(
  port: number,
  script: Script,
  headers: http.OutgoingHttpHeaders = {},
): Promise<http.IncomingMessage> {
  const request = http.request({
    port,
    host: '127.0.0.1',
    path: '/agui/run',
    method: 'POST',
    agent: false,
    headers: { 'content-type': 'application/json', ...headers },
  });
  request.end(JSON.stringify(scripted(script, '1')));
  const [response] = (await once(request, 'response')) as [
    http.IncomingMessage,
  ];
  expect(response.statusCode).toBe(200);
  return response;
}

/** Every event has to be there before the next one is said. */
async function expectOneByOne(what: string, stream: Readable): Promise<void> {
  const arrivals = new Arrivals(stream);
  await arrivals.ended;
  const { events } = arrivals;
  expect(typesOf(events).slice(2, -2)).toEqual(
    Array(WORDS.pieces).fill('TEXT_MESSAGE_CONTENT'),
  );
  measured(what, { 'longest way of an event, ms': arrivals.longestWay });
  expect(arrivals.lateByAnEvent()).toEqual([]);
}

describe.each(PLATFORMS)('nginx in front of %s', (platform) => {
  let server: FaultServer;
  let unbeaten: FaultServer;

  beforeAll(async () => {
    [server, unbeaten] = [
      await start({ platform, agui: { heartbeatInterval: 300 } }),
      await start({ platform, agui: { heartbeatInterval: 0 } }),
    ];
  });

  it.each([
    ['with default buffering, and HTTP/1.0 to the server', '', {}],
    ['with HTTP/1.1 to the server', 'proxy_http_version 1.1;', {}],
    [
      'that compresses',
      'gzip on; gzip_types text/event-stream; gzip_min_length 0;',
      { 'accept-encoding': 'gzip' },
    ],
  ])('should let events through one by one %s', async (what, more, headers) => {
    const { port } = await nginx(server, `proxy_read_timeout 20s; ${more}`);
    const response = await run(port, WORDS, headers);
    const isGzip = response.headers['content-encoding'] === 'gzip';
    expect(isGzip).toBe('accept-encoding' in headers);

    await expectOneByOne(
      `nginx ${what}, ${platform}`,
      isGzip ? response.pipe(createGunzip()) : response,
    );
  });

  it('should not lose patience with a silent agent, because of the heartbeat', async () => {
    const patience = 'proxy_read_timeout 1s;';
    const [alive, dead] = [
      await nginx(server, patience),
      await nginx(unbeaten, patience),
    ];
    const [heard, cut] = [
      new Arrivals(await run(alive.port, SILENCE)),
      new Arrivals(await run(dead.port, SILENCE)),
    ];
    await heard.ended;
    await expect(cut.ended).rejects.toThrow('aborted');

    expect(typesOf(heard.events).at(-1)).toBe('RUN_FINISHED');
    expect(typesOf(cut.events)).not.toContain('RUN_FINISHED');
  });

  it('should tell the agent that the client behind it has left', async () => {
    const before = await server.figures();
    const { port } = await nginx(server);
    const response = await run(port, { pieces: 1, then: 'wait' });
    await once(response, 'data');
    response.destroy();

    const after = await server.idle();
    expect(after.signalled - before.signalled).toBe(1);
    expect(after.tidied - before.tidied).toBe(1);
  });
});

it('nginx should not lose patience within 20 s with the heartbeat as it is by default', async () => {
  const streams = await Promise.all(
    PLATFORMS.map(async (platform) => {
      const server = await start({ platform });
      const { port } = await nginx(server, 'proxy_read_timeout 20s;');
      return new Arrivals(await run(port, { pieces: 1, pause: 24_000 }));
    }),
  );
  for (const { ended, events } of streams) {
    await ended;
    expect(typesOf(events).at(-1)).toBe('RUN_FINISHED');
  }
});

describe('compression() on express', () => {
  it('should let events through one by one', async () => {
    const { port } = await start({ platform: 'express', compression: true });
    const headers = { 'accept-encoding': 'gzip' };

    await expectOneByOne('compression()', await run(port, WORDS, headers));
  });
});

describe('HTTP/2 on fastify', () => {
  it('should let events through one by one', async () => {
    const { url } = await start({ platform: 'fastify', http2: true });
    const session = connectHttp2(url);
    const stream = session.request({
      ':method': 'POST',
      ':path': '/agui/run',
      'content-type': 'application/json',
    });
    stream.end(JSON.stringify(scripted(WORDS, '1')));

    await expectOneByOne('HTTP/2', stream);
    session.destroy();
  });
});
