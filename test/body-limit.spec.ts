import http from 'node:http';
import { once } from 'node:events';
import { gzipSync } from 'node:zlib';
import { Body, Controller, Post } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { afterEach, describe, expect, it } from 'vitest';
import { AguiModule, type Agent, type GuardSource } from 'nestjs-agui';
import { agentOf, reply } from './support/agents.js';
import {
  closeApps,
  PLATFORMS,
  serve,
  startApp,
  type TestApp,
} from './support/app.js';
import {
  eventsOf,
  inputOf,
  post,
  run,
  textOf,
  typesOf,
} from './support/client.js';

const MEGABYTE = 1024 ** 2;

@Controller('own')
class OwnController {
  @Post()
  echo(@Body() body: unknown): { length: number; keys: string[] } {
    return {
      length: JSON.stringify(body)?.length ?? 0,
      keys: Object.keys(body ?? {}),
    };
  }
}

/** Lets in whoever knows the body's length, as a signature would show. */
const lengthGuard: GuardSource = {
  canActivate: (context) => {
    const { rawBody, headers } = context.switchToHttp().getRequest<{
      rawBody?: Buffer;
      headers: Record<string, string>;
    }>();
    return rawBody?.length === Number(headers['content-length']);
  },
};

/** An agent that says how long what it was told is. */
function measuringAgent(): Agent {
  return agentOf(async function* (messages) {
    yield reply.start();
    const [block] = messages.at(-1)!.content;
    const length =
      block?.type === 'text'
        ? block.text.length
        : block?.type === 'image' && block.source.type === 'base64'
          ? block.source.data.length
          : -1;
    yield reply.text(String(length));
    yield reply.end();
  });
}

const saying = (content: unknown) =>
  inputOf({ messages: [{ id: 'u1', role: 'user', content }] });

const ofSize = (bytes: number) => saying('x'.repeat(bytes));

async function heard(app: TestApp, body: unknown): Promise<string> {
  return textOf(await run(app, body));
}

/** Sends a body in chunks, without saying how long it will be, until it is answered. */
async function postChunked(
  { port }: TestApp,
  bytes: number,
): Promise<{ status: number | undefined; body: string }> {
  const request = http.request({
    port,
    host: '127.0.0.1',
    path: '/agui/run',
    method: 'POST',
    headers: { 'content-type': 'application/json' },
  });
  request.on('error', () => undefined);
  const answered = once(request, 'response') as Promise<[http.IncomingMessage]>;
  const json = JSON.stringify(ofSize(bytes));
  for (let at = 0; at < json.length; at += 65536)
    request.write(json.slice(at, at + 65536));
  request.end();
  const [response] = await answered;
  let body = '';
  for await (const chunk of response.setEncoding('utf8')) body += String(chunk);
  return { status: response.statusCode, body };
}

describe.each(PLATFORMS)('the body limit on %s', (platform) => {
  afterEach(closeApps);

  it('should take 5 MB by default, as text', async () => {
    const app = await serve(platform, measuringAgent());

    expect(await heard(app, ofSize(5 * MEGABYTE))).toBe(String(5 * MEGABYTE));
  });

  it('should take an image of 5 MB by default, and plain text beside it', async () => {
    const app = await serve(platform, measuringAgent());
    const image = {
      type: 'image',
      source: {
        type: 'data',
        value: 'A'.repeat(5 * MEGABYTE),
        mimeType: 'image/png',
      },
    };

    expect(await heard(app, saying([image]))).toBe(String(5 * MEGABYTE));
    expect(await heard(app, saying('Hello!'))).toBe('6');
  });

  it('should refuse what is larger than the limit with 413', async () => {
    const app = await serve(platform, measuringAgent(), { bodyLimit: '20kb' });

    expect(await heard(app, ofSize(10_000))).toBe('10000');
    const response = await post(app, ofSize(21_000));
    expect(response.status).toBe(413);
    expect(await response.json()).toEqual({
      statusCode: 413,
      error: 'Payload Too Large',
      message: 'The run input is too large.',
    });
  });

  it('should refuse too large a body that does not say its length', async () => {
    const app = await serve(platform, measuringAgent(), { bodyLimit: 20_000 });
    const { status, body } = await postChunked(app, 300_000);

    expect(status).toBe(413);
    expect(JSON.parse(body)).toMatchObject({ statusCode: 413 });
    expect(await heard(app, ofSize(10))).toBe('10');
  });

  it('should refuse what is larger than the default with 413', async () => {
    const app = await serve(platform, measuringAgent());

    expect((await post(app, ofSize(11 * MEGABYTE))).status).toBe(413);
  });

  it('should leave the limit of other routes alone', async () => {
    const app = await serve(
      platform,
      measuringAgent(),
      {},
      { controllers: [OwnController] },
    );
    const own = (bytes: number) =>
      post(app, { text: 'x'.repeat(bytes) }, { path: '/own' });

    const small = await own(90_000);
    expect(small.status).toBe(201);
    expect(await small.json()).toEqual({ length: 90_011, keys: ['text'] });
    const ownLimit = platform === 'express' ? 100 * 1024 : MEGABYTE;
    expect((await own(ownLimit + 1)).status).toBe(413);
    const form = await post(app, 'a=1&b=2', {
      path: '/own',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(await form.json()).toMatchObject({ keys: ['a', 'b'] });
  });

  it('should leave the raw body to guards that check it', async () => {
    const options = { guards: [lengthGuard] };
    const start = { nest: { rawBody: true } };
    const app = await serve(platform, measuringAgent(), options, start);

    expect(await heard(app, ofSize(300_000))).toBe('300000');
  });

  it('should serve an application without a body parser', async () => {
    const app = await serve(
      platform,
      measuringAgent(),
      {},
      { nest: { bodyParser: false }, controllers: [OwnController] },
    );

    expect(await heard(app, ofSize(2 * MEGABYTE))).toBe(String(2 * MEGABYTE));
    expect((await post(app, '{"x":')).status).toBe(400);
    // Fastify has a parser of its own, which Nest leaves as it is.
    const parsed =
      platform === 'express'
        ? { length: 0, keys: [] }
        : { length: 7, keys: ['a'] };
    const own = await post(app, { a: 1 }, { path: '/own' });
    expect(await own.json()).toEqual(parsed);
  });

  it('should serve an application with a body parser of its own', async () => {
    const app = await serve(
      platform,
      measuringAgent(),
      {},
      {
        nest: { bodyParser: platform === 'fastify' },
        controllers: [OwnController],
        configure: (own) =>
          platform === 'express' &&
          (own as NestExpressApplication).useBodyParser('json', {
            limit: '5kb',
          }),
      },
    );

    expect(await heard(app, ofSize(MEGABYTE))).toBe(String(MEGABYTE));
    expect(
      (await post(app, { a: 'x'.repeat(9000) }, { path: '/own' })).status,
    ).toBe(platform === 'express' ? 413 : 201);
  });

  it('should give each of two modules its own limit', async () => {
    const agents = { default: measuringAgent() };
    const app = await startApp(platform, {
      imports: [
        AguiModule.forRoot({ agents, pathPrefix: '/a', bodyLimit: 5000 }),
        AguiModule.forRoot({ agents, pathPrefix: '/b', bodyLimit: 500_000 }),
      ],
    });
    const status = async (path: string) =>
      (await post(app, ofSize(300_000), { path })).status;

    expect(await status('/a/run')).toBe(413);
    expect(await status('/b/run')).toBe(200);
  });

  it('should keep to the limit below a global prefix', async () => {
    const app = await serve(
      platform,
      measuringAgent(),
      {},
      { configure: (own) => own.setGlobalPrefix('api/v1') },
    );
    const response = await post(app, ofSize(5 * MEGABYTE), {
      path: '/api/v1/agui/run/default?x=1',
    });

    expect(response.status).toBe(200);
    expect(typesOf(await eventsOf(response)).at(-1)).toBe('RUN_FINISHED');
  });
});

describe('a path in other letters on express', () => {
  afterEach(closeApps);

  it('should have the same limit', async () => {
    const app = await serve('express', measuringAgent());
    const response = await post(app, ofSize(MEGABYTE), { path: '/Agui/RUN/' });

    expect(response.status).toBe(200);
  });
});

describe('a compressed body on express', () => {
  afterEach(closeApps);

  it('should be read, and its real size counted', async () => {
    const app = await serve('express', measuringAgent(), { bodyLimit: '1mb' });
    const send = (bytes: number) =>
      fetch(`${app.url}/agui/run`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'content-encoding': 'gzip',
        },
        body: gzipSync(JSON.stringify(ofSize(bytes))),
      });

    const response = await send(500_000);
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('"delta":"500000"');
    expect((await send(2 * MEGABYTE)).status).toBe(413);
  });
});

describe('a compressed body on fastify', () => {
  afterEach(closeApps);

  it('should be refused with 415', async () => {
    const app = await serve('fastify', measuringAgent());
    const response = await fetch(`${app.url}/agui/run`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'content-encoding': 'gzip',
      },
      body: gzipSync(JSON.stringify(ofSize(10))),
    });

    expect(response.status).toBe(415);
  });
});
