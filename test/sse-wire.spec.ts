import { connect } from 'node:net';
import { once } from 'node:events';
import {
  Injectable,
  type CanActivate,
  type ExecutionContext,
  type INestApplication,
} from '@nestjs/common';
import { afterEach, describe, expect, it } from 'vitest';
import {
  agentOf,
  deferred,
  reply,
  sayer,
  silentAgent,
} from './support/agents.js';
import { asFastify, closeApps, PLATFORMS, serve } from './support/app.js';
import {
  inputOf,
  openStream,
  eventsOf,
  post,
  run,
  textOf,
  typesOf,
} from './support/client.js';

@Injectable()
class HeaderGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const response = context.switchToHttp().getResponse<{
      header(name: string, value: string | string[]): void;
    }>();
    response.header('x-from-guard', 'yes');
    response.header('set-cookie', ['a=1', 'b=2']);
    return true;
  }
}

/** What plugins of either platform do to a response before our route sees it. */
function addHeaders(app: INestApplication): void {
  const set =
    (name: string) =>
    (_request: unknown, response: Headers, next: () => void) => {
      response.setHeader(name, 'yes');
      next();
    };
  app.use(set('x-from-middleware'));
  if (app.getHttpAdapter().getType() === 'express')
    return void app.use(set('x-from-plugin'));
  asFastify(app)
    .getHttpAdapter()
    .getInstance()
    .addHook('onRequest', (_request, answer, done) => {
      answer.header('x-from-plugin', 'yes');
      done();
    });
}

interface Headers {
  setHeader(name: string, value: string): void;
}

describe.each(PLATFORMS)('SSE on the wire of %s', (platform) => {
  afterEach(closeApps);

  it('should write one data line with one JSON object per event, LF only', async () => {
    const app = await serve(platform, sayer('Hel', 'lo.'));
    const response = await post(app);

    expect(response.status).toBe(200);
    expect(await response.text()).toBe(
      [
        '{"type":"RUN_STARTED","threadId":"t1","runId":"r1","protocolVersion":"1.0"}',
        '{"type":"TEXT_MESSAGE_START","messageId":"r","role":"assistant"}',
        '{"type":"TEXT_MESSAGE_CONTENT","messageId":"r","delta":"Hel"}',
        '{"type":"TEXT_MESSAGE_CONTENT","messageId":"r","delta":"lo."}',
        '{"type":"TEXT_MESSAGE_END","messageId":"r"}',
        '{"type":"RUN_FINISHED","threadId":"t1","runId":"r1"}',
      ]
        .map((json) => `data: ${json}\n\n`)
        .join(''),
    );
  });

  it('should keep line breaks and every kind of character inside the JSON', async () => {
    const text = 'a\nb\r\nc\u2028d "q" \\ \u0000 grün 🦜 漢字 \ud83d';
    const app = await serve(platform, sayer(...text.split(' ')));
    const response = await post(app);
    const body = Buffer.from(await response.arrayBuffer()).toString('utf8');

    expect(body).not.toContain('\r');
    for (const line of body.split('\n'))
      expect(line === '' || line.startsWith('data: {')).toBe(true);
    const events = await run(app);
    expect(textOf(events)).toBe(text.replaceAll(' ', ''));
  });

  it('should send the headers of an event stream and none about the connection', async () => {
    const app = await serve(platform, sayer('Hi'));
    const { response } = await openStream(app);

    expect(response.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      'transfer-encoding': 'chunked',
    });
    expect(response.headers).not.toHaveProperty('content-length');
    // Node itself writes "keep-alive" for HTTP/1.1; "close" would be ours.
    expect(response.headers.connection).toBe('keep-alive');
    response.resume();
  });

  it('should send head and RUN_STARTED before the agent says anything', async () => {
    const agent = silentAgent();
    const app = await serve(platform, agent);
    const stream = await openStream(app);

    await stream.untilType('RUN_STARTED');
    expect(typesOf(stream.events)).toEqual(['RUN_STARTED']);
    stream.leave();
    await agent.stopped.promise;
  });

  it('should send the head before a protocol agent says anything', async () => {
    const go = deferred();
    const app = await serve(platform, {
      async *run(input) {
        await go.promise;
        const { threadId, runId } = input;
        yield { type: 'RUN_STARTED', threadId, runId } as never;
        yield { type: 'RUN_FINISHED', threadId, runId } as never;
      },
    });
    const stream = await openStream(app);

    expect(stream.response.statusCode).toBe(200);
    go.resolve();
    await stream.ended;
    expect(typesOf(stream.events)).toEqual(['RUN_STARTED', 'RUN_FINISHED']);
  });

  it('should send each event as soon as the agent has said it', async () => {
    const steps = [deferred(), deferred()];
    const app = await serve(
      platform,
      agentOf(async function* () {
        yield reply.start();
        yield reply.text('one');
        await steps[0]!.promise;
        yield reply.text('two');
        await steps[1]!.promise;
        yield reply.end();
      }),
    );
    const stream = await openStream(app);

    await stream.until((text) => text.includes('"one"'));
    steps[0]!.resolve();
    await stream.until((text) => text.includes('"two"'));
    expect(stream.text).not.toContain('RUN_FINISHED');
    steps[1]!.resolve();
    await stream.ended;
    expect(typesOf(stream.events).at(-1)).toBe('RUN_FINISHED');
  });

  it('should end the response with the terminal event, though the agent goes on', async () => {
    const tidied = deferred();
    const app = await serve(
      platform,
      agentOf(async function* () {
        yield reply.start();
        yield reply.end();
        await tidied.promise;
      }),
    );

    expect(typesOf(await run(app))).toEqual(['RUN_STARTED', 'RUN_FINISHED']);
    tidied.resolve();
  });

  it('should use one connection for several runs', async () => {
    const app = await serve(platform, sayer('Hi'));
    const socket = connect({ port: app.port, host: '127.0.0.1' });
    await once(socket, 'connect');
    const json = JSON.stringify(inputOf());
    const request = `POST /agui/run HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${json.length}\r\n\r\n${json}`;
    let received = '';
    socket.setEncoding('utf8').on('data', (text: string) => (received += text));
    const answers = async (count: number) => {
      while (received.split('\r\n0\r\n\r\n').length <= count)
        await once(socket, 'data');
    };
    socket.write(request);
    await answers(1);
    socket.write(request);
    await answers(2);
    socket.destroy();

    expect(received.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2);
    expect(received.match(/RUN_FINISHED/g)).toHaveLength(2);
  });

  it('should keep headers that guards, middleware and plugins have set', async () => {
    const app = await serve(
      platform,
      sayer('Hi'),
      { guards: [new HeaderGuard()] },
      { configure: addHeaders },
    );
    const { headers } = await post(app);

    expect(headers.get('x-from-guard')).toBe('yes');
    expect(headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect(headers.get('x-from-middleware')).toBe('yes');
    expect(headers.get('x-from-plugin')).toBe('yes');
    expect(headers.get('content-type')).toBe('text/event-stream');
  });

  it('should not be cut by a length that somebody has set', async () => {
    const app = await serve(platform, sayer('Hi'), {
      guards: [
        {
          canActivate(context) {
            context
              .switchToHttp()
              .getResponse<{ header(name: string, value: string): void }>()
              .header('Content-Length', '5');
            return true;
          },
        },
      ],
    });
    const response = await post(app);

    expect(response.headers.get('content-length')).toBeNull();
    expect(typesOf(await eventsOf(response)).at(-1)).toBe('RUN_FINISHED');
  });

  it('should have no header that comes from the request', async () => {
    const app = await serve(platform, sayer('Hi'));
    const named = { threadId: 'thread-\u00fc', runId: 'run-\r\nX-Evil: 1' };
    const headers = async (changes: object) => {
      const response = await post(app, inputOf({ ...changes }), {
        headers: { 'x-agent-id': 'default', 'x-request-id': 'mine' },
      });
      const own = Object.fromEntries(response.headers);
      await response.text();
      return { ...own, date: undefined };
    };

    const plain = await headers({});
    expect(await headers(named)).toEqual(plain);
    expect(
      Object.keys(plain).filter((name) => name !== 'x-powered-by'),
    ).toEqual([
      'access-control-allow-origin',
      'cache-control',
      'connection',
      'content-type',
      'date',
      'keep-alive',
      'transfer-encoding',
      'x-accel-buffering',
    ]);
  });

  it('should answer with 500 when a guard has set a header that cannot be sent', async () => {
    let asked = 0;
    const app = await serve(
      platform,
      agentOf(async function* () {
        asked++;
        yield reply.start();
        yield reply.end();
      }),
      {
        guards: [
          {
            canActivate(context) {
              context
                .switchToHttp()
                .getResponse<{ header(name: string, value: string): void }>()
                .header('x-name', '漢字');
              return true;
            },
          },
        ],
      },
    );

    expect((await post(app)).status).toBe(500);
    expect(asked).toBe(0);
  });
});
