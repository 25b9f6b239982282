import { EventType } from '@ag-ui/core';
import {
  Catch,
  ConflictException,
  ForbiddenException,
  type ArgumentsHost,
  type ExceptionFilter,
  type INestApplication,
} from '@nestjs/common';
import {
  AguiError,
  type Agent,
  type AguiAgentAdapterFactory,
} from 'nestjs-agui';
import { concat, of, throwError } from 'rxjs';
import { afterEach, describe, expect, it } from 'vitest';
import { agentOf, reply, sayer } from './support/agents.js';
import { closeApps, PLATFORMS, serve, type TestApp } from './support/app.js';
import { inputOf, post, run, typesOf } from './support/client.js';

const SECRET = 'connect ECONNREFUSED 10.0.0.5:5432';
const MASKED = {
  type: 'RUN_ERROR',
  message: 'The agent failed. The server log says why.',
  code: 'INTERNAL_ERROR',
};

interface Responder {
  status(code: number): Responder;
  json?(body: unknown): void;
  send(body: unknown): void;
}

/** A filter that answers everything, as many applications have one. */
@Catch()
class EverythingFilter implements ExceptionFilter {
  readonly caught: unknown[] = [];

  catch(exception: unknown, host: ArgumentsHost): void {
    this.caught.push(exception);
    const status = (exception as { getStatus?(): number }).getStatus?.() ?? 500;
    host
      .switchToHttp()
      .getResponse<Responder>()
      .status(status)
      .send({ problem: status });
  }
}

function withFilter(filter: ExceptionFilter) {
  return {
    configure: (app: INestApplication) => app.useGlobalFilters(filter),
  };
}

/** Says one word and fails. */
function failingAgent(error: unknown): Agent {
  return agentOf(async function* () {
    yield reply.start();
    yield reply.text('Well');
    throw error;
  });
}

const errorsIn = ({ log }: TestApp) =>
  log.filter((line) => line.startsWith('error')).join('\n');

/** An object of which only the error is left when it is logged. */
const THROWING: readonly [string, Agent][] = [
  [
    'throws when it is asked',
    agentOf(() => {
      throw new Error(SECRET);
    }),
  ],
  [
    'throws before its first event',
    agentOf(() => ({
      [Symbol.asyncIterator]: () => ({
        next: () => Promise.reject(new Error(SECRET)),
      }),
    })),
  ],
  ['throws in the middle', failingAgent(new Error(SECRET))],
  [
    'is an Observable that fails',
    agentOf(() =>
      concat(
        of(reply.start(), reply.text('Well')),
        throwError(() => new Error(SECRET)),
      ),
    ),
  ],
];

describe.each(PLATFORMS)('an agent that fails on %s', (platform) => {
  afterEach(closeApps);

  it.each(THROWING)(
    'should end the stream with a masked RUN_ERROR when it %s',
    async (_name, agent) => {
      const app = await serve(platform, agent);
      const response = await post(app);
      const text = await response.text();

      expect(response.status).toBe(200);
      expect(text).not.toContain(SECRET);
      const events = await run(app);
      expect(events[0]).toMatchObject({ type: 'RUN_STARTED' });
      expect(events.at(-1)).toMatchObject(MASKED);
      expect(events.at(-1)!['timestamp']).toBeTypeOf('number');
      expect(
        typesOf(events).filter((type) => /RUN_(ERROR|FINISHED)/.test(type)),
      ).toHaveLength(1);
      expect(errorsIn(app)).toContain(SECRET);
      expect(errorsIn(app)).toContain(
        'The run "r1" of thread "t1" (agent "default") failed',
      );
    },
  );

  it('should close what is open before the error', async () => {
    const app = await serve(platform, failingAgent(new Error(SECRET)));

    expect(typesOf(await run(app))).toEqual([
      'RUN_STARTED',
      'TEXT_MESSAGE_START',
      'TEXT_MESSAGE_CONTENT',
      'TEXT_MESSAGE_END',
      'RUN_ERROR',
    ]);
  });

  it.each<[string, unknown, Record<string, unknown>]>([
    [
      'an AguiError',
      new AguiError('The weather service is closed.', 'CLOSED'),
      { message: 'The weather service is closed.', code: 'CLOSED' },
    ],
    [
      'an HttpException',
      new ForbiddenException('Not your city.'),
      { message: 'Not your city.', code: 'HTTP_403' },
    ],
    ['a string', SECRET, MASKED],
    ['null', null, MASKED],
    ['undefined', undefined, MASKED],
    ['an object', { toString: null }, MASKED],
    [
      'an AbortError',
      new DOMException(SECRET, 'AbortError'),
      { code: 'INTERRUPTED_ERROR' },
    ],
    [
      'a TimeoutError',
      new DOMException(SECRET, 'TimeoutError'),
      { code: 'TIMEOUT_ERROR' },
    ],
  ])('should tell what may be told of %s', async (_name, error, told) => {
    const app = await serve(platform, failingAgent(error));
    const events = await run(app);

    expect(events.at(-1)).toMatchObject({ type: 'RUN_ERROR', ...told });
    expect(JSON.stringify(events)).not.toContain(SECRET);
  });

  it('should tell everything when errors are exposed', async () => {
    const app = await serve(platform, failingAgent(new Error(SECRET)), {
      exposeErrors: true,
    });

    expect((await run(app)).at(-1)).toMatchObject({
      message: SECRET,
      code: 'INTERNAL_ERROR',
    });
  });

  it('should not reach a global exception filter once the stream is open', async () => {
    const filter = new EverythingFilter();
    const app = await serve(
      platform,
      failingAgent(new Error(SECRET)),
      {},
      withFilter(filter),
    );
    const response = await post(app);

    expect(response.status).toBe(200);
    expect(await response.text()).toContain('RUN_ERROR');
    expect(filter.caught).toEqual([]);
  });

  it('should serve the next run', async () => {
    let failing = true;
    const app = await serve(
      platform,
      agentOf(async function* () {
        yield reply.start();
        if (failing) throw new Error(SECRET);
        yield reply.end();
      }),
    );

    expect(typesOf(await run(app)).at(-1)).toBe('RUN_ERROR');
    failing = false;
    expect(typesOf(await run(app)).at(-1)).toBe('RUN_FINISHED');
  });

  it('should fail a run whose agent stops short', async () => {
    const app = await serve(
      platform,
      agentOf(async function* () {
        yield reply.start();
        yield reply.text('Well');
      }),
    );

    expect(typesOf(await run(app)).at(-1)).toBe('RUN_ERROR');
  });

  it('should fail a run whose agent answers with nothing to iterate', async () => {
    const app = await serve(platform, agentOf((() => 7) as never));

    expect(typesOf(await run(app))).toEqual(['RUN_STARTED', 'RUN_ERROR']);
    expect(errorsIn(app)).toContain('neither an async iterable nor');
  });

  it('should keep a finished run finished when the agent fails behind its end', async () => {
    const app = await serve(
      platform,
      agentOf(async function* () {
        yield reply.start();
        yield reply.end();
        throw new Error(SECRET);
      }),
    );

    expect(typesOf(await run(app))).toEqual(['RUN_STARTED', 'RUN_FINISHED']);
    expect(errorsIn(app)).toContain(SECRET);
  });

  it('should let RUN_FINISHED follow on demand', async () => {
    const app = await serve(platform, failingAgent(new Error(SECRET)), {
      emitRunFinishedAfterError: true,
    });

    expect(typesOf(await run(app)).slice(-2)).toEqual([
      'RUN_ERROR',
      'RUN_FINISHED',
    ]);
  });
});

describe.each(PLATFORMS)('an extension that fails on %s', (platform) => {
  afterEach(closeApps);

  it('should fail the run when it is a converter', async () => {
    const app = await serve(platform, sayer('Hi'), {
      converters: [
        {
          eventTypes: () => ['TEXT_BLOCK_DELTA'],
          convert() {
            throw new Error(SECRET);
          },
        },
      ],
    });
    const events = await run(app);

    expect(typesOf(events)).toEqual(['RUN_STARTED', 'RUN_ERROR']);
    expect(events.at(-1)).toMatchObject(MASKED);
    expect(errorsIn(app)).toContain(SECRET);
  });

  it('should fail the run when it is an enricher', async () => {
    const app = await serve(platform, sayer('Hi'), {
      enrichers: [
        {
          enrich() {
            throw new Error(SECRET);
          },
        },
      ],
    });
    const events = await run(app);

    expect(events.at(-1)).toMatchObject(MASKED);
    expect(errorsIn(app)).toContain(SECRET);
  });

  it.each(['text/event-stream', 'application/vnd.ag-ui.event+proto'])(
    'should end the run when not even its error can be encoded as %s',
    async (accept) => {
      const unspeakable = {
        toJSON() {
          throw new Error(SECRET);
        },
      };
      const app = await serve(platform, sayer('Hi'), {
        enrichers: [
          {
            enrich: (_source, events) =>
              events.map(
                (event) =>
                  ({ ...event, metadata: { unspeakable } }) as typeof event,
              ),
          },
        ],
      });
      const response = await post(app, inputOf(), { headers: { accept } });
      const text = await response.text();

      expect(text).toContain(MASKED.message);
      expect(text).not.toContain(SECRET);
      expect(errorsIn(app)).toContain(SECRET);
    },
  );

  it('should fail the run when an event cannot be encoded', async () => {
    const app = await serve(platform, {
      async *run({ threadId, runId }) {
        yield { type: EventType.RUN_STARTED, threadId, runId } as never;
        yield {
          type: EventType.CUSTOM,
          name: 'x',
          value: {
            toJSON() {
              throw new Error(SECRET);
            },
          },
        } as never;
        yield { type: EventType.RUN_FINISHED, threadId, runId } as never;
      },
    });
    const events = await run(app);

    expect(events.at(-1)).toMatchObject(MASKED);
  });
});

describe.each(PLATFORMS)('an error before the stream on %s', (platform) => {
  afterEach(closeApps);

  it('should keep the status of an HttpException of the agent factory', async () => {
    const app = await serve(platform, async () => {
      throw new ConflictException('One at a time.');
    });
    const response = await post(app);

    expect(response.status).toBe(409);
    expect(await response.json()).toEqual({
      statusCode: 409,
      error: 'Conflict',
      message: 'One at a time.',
    });
  });

  it('should mask any other error of the agent factory, and log it', async () => {
    const app = await serve(platform, async () => {
      throw new Error(SECRET);
    });
    const response = await post(app);

    expect(response.status).toBe(500);
    expect(response.headers.get('content-type')).toContain('application/json');
    expect(await response.json()).toEqual({
      statusCode: 500,
      message: 'Internal server error',
    });
    expect(errorsIn(app)).toContain(SECRET);
  });

  it('should answer a factory that makes no agent with an error', async () => {
    const app = await serve(platform, (() => ({ name: 'x' })) as never);

    expect((await post(app)).status).toBe(500);
    expect(errorsIn(app)).toMatch(/default/);
  });

  it('should keep the status of an HttpException of a context resolver', async () => {
    const app = await serve(platform, sayer('Hi'), {
      contextResolvers: [
        {
          resolve() {
            throw new ForbiddenException('No tenant.');
          },
        },
      ],
    });

    expect((await post(app)).status).toBe(403);
  });

  it('should mask the error of an adapter factory', async () => {
    const factory: AguiAgentAdapterFactory = {
      create() {
        throw new Error(SECRET);
      },
    };
    const app = await serve(platform, sayer('Hi'), {
      adapterFactory: factory,
    });
    const response = await post(app);

    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain(SECRET);
  });

  it.each<[string, unknown, number]>([
    ['malformed JSON', '{', 400],
    ['an invalid input', {}, 400],
    ['an unknown agent', inputOf({ forwardedProps: { agentId: 'x' } }), 404],
  ])(
    'should let a global exception filter answer %s',
    async (_name, body, status) => {
      const filter = new EverythingFilter();
      const app = await serve(platform, sayer('Hi'), {}, withFilter(filter));
      const response = await post(app, body);

      expect(response.status).toBe(status);
      expect(await response.json()).toEqual({ problem: status });
      expect(filter.caught).toHaveLength(1);
    },
  );

  it('should let a global exception filter answer for the agent factory', async () => {
    const filter = new EverythingFilter();
    const app = await serve(
      platform,
      async () => {
        throw new Error(SECRET);
      },
      {},
      withFilter(filter),
    );
    const response = await post(app);

    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({ problem: 500 });
    expect(filter.caught).toEqual([new Error(SECRET)]);
  });
});
