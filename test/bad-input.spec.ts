import { afterEach, describe, expect, it } from 'vitest';
import { agentOf, reply, sayer } from './support/agents.js';
import { asFastify, closeApps, PLATFORMS, serve } from './support/app.js';
import { inputOf, openSocket, post, run, typesOf } from './support/client.js';

interface Problem {
  statusCode: number;
  message: string;
  errors?: { path: string; message: string }[];
}

async function refused(response: Response, status: number): Promise<Problem> {
  expect(response.status).toBe(status);
  expect(response.headers.get('content-type')).toContain('application/json');
  const problem = (await response.json()) as Problem;
  expect(problem.statusCode).toBe(status);
  expect(problem.message).toBeTypeOf('string');
  return problem;
}

const without = (name: string) => {
  const input: Record<string, unknown> = inputOf();
  delete input[name];
  return input;
};

describe("errors of an application's own plugins", () => {
  afterEach(closeApps);

  it('should not be taken for errors in the body', async () => {
    const app = await serve(
      'fastify',
      sayer('Hi'),
      {},
      {
        configure: (own) =>
          asFastify(own)
            .getHttpAdapter()
            .getInstance()
            .addHook('preHandler', (_request, _reply, done) =>
              done(
                Object.assign(new Error('No tenant.'), {
                  expose: true,
                  status: 400,
                  statusCode: 400,
                }),
              ),
            ),
      },
    );

    expect(await refused(await post(app), 400)).toEqual({
      statusCode: 400,
      message: 'No tenant.',
    });
  });
});

describe.each(PLATFORMS)('bad input on %s', (platform) => {
  afterEach(closeApps);

  it.each([
    ['cut short', '{"threadId":"t1",'],
    ['no JSON at all', 'threadId=t1'],
    ['two values', '{}{}'],
  ])('should refuse a body that is %s with 400', async (_name, body) => {
    const app = await serve(platform, sayer('Hi'));
    const problem = await refused(await post(app, body), 400);

    expect(problem.errors).toHaveLength(1);
    expect(problem.errors![0]).toMatchObject({ path: '' });
    expect(Object.keys(problem).sort()).toEqual([
      'errors',
      'message',
      'statusCode',
    ]);
  });

  it('should refuse an empty body with 400', async () => {
    const app = await serve(platform, sayer('Hi'));
    const problem = await refused(await post(app, ''), 400);

    expect(problem.errors).not.toEqual([]);
  });

  it.each([
    ['null', null],
    ['a list', [inputOf()]],
    ['a text', 'hello'],
    ['a number', 7],
  ])('should refuse a body that is %s with 400', async (_name, value) => {
    const app = await serve(platform, sayer('Hi'));
    const problem = await refused(await post(app, JSON.stringify(value)), 400);

    expect(problem.errors![0]).toMatchObject({ path: '' });
  });

  it.each([
    ['threadId', without('threadId')],
    ['runId', without('runId')],
    ['threadId', inputOf({ threadId: 7 })],
    ['messages', inputOf({ messages: 'Hi' })],
    ['messages.0.id', inputOf({ messages: [{ role: 'user', content: 'x' }] })],
    ['messages.0.role', inputOf({ messages: [{ id: 'u1', content: 'x' }] })],
    [
      'messages.1.content',
      inputOf({
        messages: [
          { id: 'u1', role: 'user', content: 'x' },
          { id: 'u2', role: 'user', content: 7 },
        ],
      }),
    ],
    [
      'tools.0.name',
      inputOf({ tools: [{ description: 'x', parameters: {} }] }),
    ],
    ['context.0.value', inputOf({ context: [{ description: 'x' }] })],
    ['resume.0.interruptId', inputOf({ resume: [{ status: 'resolved' }] })],
  ])('should name %s in a 400 when it is wrong', async (path, body) => {
    const app = await serve(platform, sayer('Hi'));
    const problem = await refused(await post(app, body), 400);

    expect(problem.message).toBe('The run input is not valid.');
    expect(problem.errors!.map((error) => error.path)).toContain(path);
    for (const error of problem.errors!)
      expect(error.message).toBeTypeOf('string');
  });

  it('should answer the same to a bad input on either platform', async () => {
    const body = inputOf({ threadId: 7, messages: [{ role: 'user' }] });
    const answers = await Promise.all(
      PLATFORMS.map(async (each) =>
        (await post(await serve(each, sayer('Hi')), body)).json(),
      ),
    );

    expect(answers[0]).toEqual(answers[1]);
  });

  it('should not ask the agent when the input is bad', async () => {
    let asked = 0;
    const app = await serve(
      platform,
      agentOf(async function* () {
        asked++;
        yield reply.start();
        yield reply.end();
      }),
    );
    await refused(await post(app, {}), 400);

    expect(asked).toBe(0);
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/xml',
    'multipart/form-data; boundary=x',
    'application/jsonx',
    'application/merge-patch+json',
    'text/json',
  ])('should refuse content type %s with 415', async (contentType) => {
    const app = await serve(platform, sayer('Hi'));
    const response = await post(app, inputOf(), {
      headers: { 'content-type': contentType },
    });

    const { errors, message } = await refused(response, 415);
    expect(errors).toBeUndefined();
    expect(message).toBe('The run input must be sent as application/json.');
  });

  it('should refuse a request without a content type with 415', async () => {
    const app = await serve(platform, sayer('Hi'));
    const bodies = [Buffer.from(JSON.stringify(inputOf())), undefined];
    for (const body of bodies) {
      const response = await fetch(`${app.url}/agui/run`, {
        method: 'POST',
        body,
      });
      const { errors, message } = await refused(response, 415);
      expect(errors).toBeUndefined();
      expect(message).toBe('The run input must be sent as application/json.');
    }
  });

  it.each([
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'application/json; charset=utf8',
    'application/json;charset="UTF8"; x=1',
    'APPLICATION/JSON',
  ])('should read content type %s', async (contentType) => {
    const app = await serve(platform, sayer('Hi'));
    const events = await run(app, inputOf(), {
      headers: { 'content-type': contentType },
    });

    expect(typesOf(events).at(-1)).toBe('RUN_FINISHED');
  });

  it('should drop members it does not know, with a line in the debug log', async () => {
    let seen: unknown;
    const app = await serve(
      platform,
      agentOf(async function* (_messages, context) {
        seen = context.get('agui.input');
        yield reply.start();
        yield reply.end();
      }),
    );
    const events = await run(app, {
      ...inputOf({
        messages: [{ id: 'u1', role: 'user', content: 'Hi', mood: 'good' }],
      }),
      data: { from: 'another client' },
    });

    expect(typesOf(events).at(-1)).toBe('RUN_FINISHED');
    expect(seen).toEqual(inputOf());
    expect(app.log.join('\n')).toMatch(
      /debug: Ignored in a run input: "\/messages\/0\/mood", "\/data"\./,
    );
  });

  it('should warn of messages and parts that it has to leave out', async () => {
    const app = await serve(platform, sayer('Hi'));
    await run(
      app,
      inputOf({
        messages: [
          { id: 'u1', role: 'function', content: 'Hi' },
          { id: 'u2', role: 'user', content: [{ type: 'hologram' }] },
        ],
      }),
    );

    expect(app.log.join('\n')).toContain(
      'warn: Left out of a run input, because AG-UI knows no such role or kind: "/messages/0", "/messages/1/content/0".',
    );
  });

  it('should write nothing into the log that could pass for a line of its own', async () => {
    const app = await serve(
      platform,
      agentOf(async function* () {
        yield reply.start();
        throw new Error('broken');
      }),
    );
    await run(app, {
      ...inputOf({
        threadId: 't\n[Nest] FORGED',
        runId: `r\u001B[2J${'x'.repeat(10_000)}`,
        protocolVersion: '9.\nFORGED',
        messages: [{ id: 'm\nFORGED', role: 'user\nFORGED', content: '' }],
        resume: [{ interruptId: 'i\nFORGED', status: 'resolved' }],
      }),
      ...Object.fromEntries(
        Array.from({ length: 500 }, (_, n) => [`unknown\nFORGED ${n}`, 1]),
      ),
    });
    await run(app, inputOf({ threadId: 't\nFORGED' }));

    const lines = app.log.join('\n').split('\n');
    expect(lines.filter((line) => /^(\[Nest\] )?FORGED/.test(line))).toEqual(
      [],
    );
    expect(app.log.join()).not.toContain('\u001B');
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(2000);
  });

  it('should run an input with nothing but what is required', async () => {
    const app = await serve(platform, sayer('Hi'));
    const events = await run(app, {
      threadId: 't1',
      runId: 'r1',
      messages: [],
    });

    expect(typesOf(events).at(-1)).toBe('RUN_FINISHED');
  });

  it('should take null for what may be left out', async () => {
    const app = await serve(platform, sayer('Hi'));
    const events = await run(app, inputOf({ state: null, resume: null }));

    expect(typesOf(events).at(-1)).toBe('RUN_FINISHED');
  });

  it('should not put the body into the answer or the log', async () => {
    const app = await serve(platform, sayer('Hi'));
    const response = await post(app, '{"password":"hunter2", ???');
    const answer = await response.text();

    expect(response.status).toBe(400);
    expect(answer).not.toContain('hunter2');
    expect(app.log.join('\n')).not.toContain('hunter2');
  });

  it('should survive a client that leaves while it sends the body', async () => {
    const app = await serve(platform, sayer('Hi'));
    const socket = await openSocket(app);
    socket.write('POST /agui/run HTTP/1.1\r\nHost: x\r\n');
    socket.write(
      'Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{',
    );
    socket.destroy();

    expect(typesOf(await run(app)).at(-1)).toBe('RUN_FINISHED');
  });
});
