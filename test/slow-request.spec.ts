import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { agentOf, reply, sayer } from './support/agents.js';
import { closeApps, PLATFORMS, serve, type TestApp } from './support/app.js';
import { inputOf, run, typesOf } from './support/client.js';
import { SPELLINGS, LENIENT } from './support/spellings.js';

const CLOSE = 'Connection: close';
const CHUNKED = 'Transfer-Encoding: chunked';

/** A client that sends a head and goes on as it likes. */
async function slowClient(
  { port, target = '/agui/run' }: Pick<TestApp, 'port'> & { target?: string },
  ...headers: string[]
): Promise<{ socket: Socket; answer: Promise<string> }> {
  const socket = connect({ port, host: '127.0.0.1' });
  socket.on('error', () => undefined);
  let text = '';
  socket.setEncoding('utf8').on('data', (more: string) => (text += more));
  const answer = once(socket, 'close').then(() => text);
  await once(socket, 'connect');
  const head = [`POST ${target} HTTP/1.1`, 'Host: localhost', ...headers];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  return { socket, answer };
}

describe.each(PLATFORMS)('A request that does not end on %s', (platform) => {
  afterEach(closeApps);

  const start = () => serve(platform, sayer('Hi'), { bodyTimeout: '100ms' });
  const json = 'Content-Type: application/json';

  it('should be refused with 408 and its connection closed, if it is silent', async () => {
    const app = await start();
    const { socket, answer } = await slowClient(app, json, CHUNKED);
    socket.write('1\r\n{\r\n');

    const text = await answer;
    expect(text).toMatch(/^HTTP\/1.1 408 /);
    expect(text).toContain(
      '{"statusCode":408,"message":"The request did not arrive in time."}',
    );
  });

  it('should be refused if it sends less than it promised', async () => {
    const app = await start();
    const { answer } = await slowClient(app, json, 'Content-Length: 5');

    expect(await answer).toMatch(/^HTTP\/1.1 408 /);
  });

  it('should be refused if it goes on for ever', async () => {
    const app = await start();
    const { socket, answer } = await slowClient(app, json, CHUNKED);
    const drip = setInterval(() => socket.write('1\r\n \r\n'), 10);

    expect(await answer).toMatch(/^HTTP\/1.1 408 /);
    clearInterval(drip);
  });

  it.each(SPELLINGS[platform])(
    'should be refused when the path is written as %s',
    async (target) => {
      const app = await serve(
        platform,
        sayer('Hi'),
        { bodyTimeout: '100ms' },
        LENIENT,
      );
      const { port } = app;
      const whole = await slowClient({ port, target }, json, CHUNKED, CLOSE);
      // More than Express reads of other routes' bodies.
      const forwardedProps = { text: 'x'.repeat(200_000) };
      const body = JSON.stringify(inputOf({ forwardedProps }));
      whole.socket.write(`${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`);
      expect(await whole.answer).toMatch(/^HTTP\/1.1 200 /);

      const { answer } = await slowClient({ port, target }, json, CHUNKED);
      expect(await answer).toMatch(/^HTTP\/1.1 408 /);
    },
  );

  it('should not keep its connection when it was refused for something else', async () => {
    const app = await start();
    const text = 'Content-Type: text/plain';
    const { answer } = await slowClient(app, text, CHUNKED);

    expect(await answer).toMatch(/^HTTP\/1.1 4(15|08) /);
  });

  it('should leave others alone, however long they run', async () => {
    const patient = agentOf(async function* () {
      yield reply.start();
      await sleep(200);
      yield reply.text('done');
      yield reply.end();
    });
    const app = await serve(platform, patient, { bodyTimeout: '100ms' });
    const { answer } = await slowClient(app, json, CHUNKED);

    expect(typesOf(await run(app)).at(-1)).toBe('RUN_FINISHED');
    await answer;
    expect(app.complaints).toEqual([]);
  });
});

describe('A request that does not end on HTTP/2', () => {
  afterEach(closeApps);

  it('should be refused, and the other streams of its session go on', async () => {
    const app = await serve(
      'fastify',
      sayer('Hi'),
      { bodyTimeout: '100ms' },
      { fastify: { http2: true } as never },
    );
    const session = connectHttp2(app.url);
    const open = () =>
      session.request({
        ':method': 'POST',
        ':path': '/agui/run',
        'content-type': 'application/json',
      });
    const slow = open();
    slow.write('{');
    const [refusal] = (await once(slow, 'response')) as [object];
    expect(refusal).toMatchObject({ ':status': 408 });
    slow.resume();
    await once(slow, 'close');

    const other = open();
    other.end(JSON.stringify(inputOf()));
    const [head] = (await once(other, 'response')) as [object];
    expect(head).toMatchObject({ ':status': 200 });
    other.resume();
    await once(other, 'end');
    session.destroy();
  });
});
