import {
  Catch,
  ClassSerializerInterceptor,
  HttpException,
  RequestTimeoutException,
  ValidationPipe,
  type ArgumentsHost,
  type CallHandler,
  type ExceptionFilter,
  type ExecutionContext,
  type INestApplication,
  type NestInterceptor,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import {
  catchError,
  map,
  tap,
  throwError,
  timeout,
  TimeoutError,
  type Observable,
} from 'rxjs';
import { afterEach, describe, expect, it } from 'vitest';
import {
  agentOf,
  deferred,
  reply,
  sayer,
  silentAgent,
  aborted,
} from './support/agents.js';
import { closeApps, PLATFORMS, serve } from './support/app.js';
import { inputOf, openStream, post, run, typesOf } from './support/client.js';
import { roundTrip } from './support/settle.js';

class WrapInterceptor implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler) {
    return next.handle().pipe(map((data: unknown) => ({ data })));
  }
}

class TimeoutInterceptor implements NestInterceptor {
  constructor(private readonly ms: number) {}

  intercept(
    _context: ExecutionContext,
    next: CallHandler,
  ): Observable<unknown> {
    return next.handle().pipe(
      timeout(this.ms),
      catchError((error: unknown) =>
        throwError(() =>
          error instanceof TimeoutError ? new RequestTimeoutException() : error,
        ),
      ),
    );
  }
}

class CountingInterceptor implements NestInterceptor {
  readonly seen: string[] = [];

  intercept(_context: ExecutionContext, next: CallHandler) {
    this.seen.push('before');
    return next.handle().pipe(
      tap({
        next: (value) => this.seen.push(`value: ${String(value)}`),
        complete: () => this.seen.push('after'),
      }),
    );
  }
}

@Catch(HttpException)
class HttpFilter implements ExceptionFilter {
  catch(exception: HttpException, host: ArgumentsHost): void {
    host
      .switchToHttp()
      .getResponse<{
        status(code: number): { send(body: unknown): void };
      }>()
      .status(exception.getStatus())
      .send({ wrapped: exception.getResponse() });
  }
}

const WHOLE = [
  'RUN_STARTED',
  'TEXT_MESSAGE_START',
  'TEXT_MESSAGE_CONTENT',
  'TEXT_MESSAGE_END',
  'RUN_FINISHED',
];

const configured = (configure: (app: INestApplication) => unknown) => ({
  configure,
});

const STRICT = new ValidationPipe({
  whitelist: true,
  forbidNonWhitelisted: true,
  forbidUnknownValues: true,
  transform: true,
  transformOptions: { enableImplicitConversion: true },
});

describe.each(PLATFORMS)('global enhancers on %s', (platform) => {
  afterEach(closeApps);

  it.each<[string, NestInterceptor | (() => NestInterceptor)]>([
    ['wraps responses', new WrapInterceptor()],
    [
      'serializes classes',
      () => new ClassSerializerInterceptor(new Reflector()),
    ],
    ['times out', new TimeoutInterceptor(5000)],
  ])(
    'should leave the stream alone when an interceptor %s',
    async (_name, interceptor) => {
      const app = await serve(
        platform,
        sayer('Hi'),
        {},
        configured((own) =>
          own.useGlobalInterceptors(
            typeof interceptor === 'function' ? interceptor() : interceptor,
          ),
        ),
      );

      expect(typesOf(await run(app))).toEqual(WHOLE);
      expect((await post(app, '{')).status).toBe(400);
      expect((await post(app, {})).status).toBe(400);
      expect(app.log.filter((line) => line.startsWith('error'))).toEqual([]);
    },
  );

  it('should show interceptors a run as one call without a value', async () => {
    const interceptor = new CountingInterceptor();
    const app = await serve(
      platform,
      silentAgent(),
      {},
      configured((own) => own.useGlobalInterceptors(interceptor)),
    );
    const stream = await openStream(app);
    await stream.untilType('RUN_STARTED');
    await roundTrip(app);

    expect(interceptor.seen).toEqual(['before', 'value: undefined', 'after']);
    stream.leave();
  });

  it('should not cut a long stream short with a timeout interceptor', async () => {
    const go = deferred();
    const app = await serve(
      platform,
      agentOf(async function* () {
        yield reply.start();
        await go.promise;
        yield reply.end();
      }),
      {},
      configured((own) =>
        own.useGlobalInterceptors(new TimeoutInterceptor(50)),
      ),
    );
    const stream = await openStream(app);
    await new Promise((resolve) => setTimeout(resolve, 100));
    go.resolve();
    await stream.ended;

    expect(typesOf(stream.events)).toEqual(['RUN_STARTED', 'RUN_FINISHED']);
  });

  it.each([true, false])(
    'should not start a run for which an interceptor had no patience (interruptOnDisconnect: %s)',
    async (interruptOnDisconnect) => {
      const [told, go] = [deferred(), deferred()];
      let asked = 0;
      const app = await serve(
        platform,
        async ({ signal }) => {
          void aborted(signal).then(told.resolve);
          await go.promise;
          return agentOf(async function* () {
            asked++;
            yield reply.start();
            yield reply.end();
          });
        },
        { interruptOnDisconnect },
        configured((own) =>
          own.useGlobalInterceptors(new TimeoutInterceptor(20)),
        ),
      );
      const response = await post(app);
      expect(response.status).toBe(408);
      expect(await response.json()).toMatchObject({ statusCode: 408 });
      if (interruptOnDisconnect) await told.promise;
      go.resolve();
      await roundTrip(app);

      expect(asked).toBe(0);
      expect(app.log.filter((line) => line.startsWith('error'))).toEqual([]);
    },
  );

  it('should read the input as it is behind a strict ValidationPipe', async () => {
    let seen: unknown;
    const app = await serve(
      platform,
      agentOf(async function* (_messages, context) {
        seen = context.get('agui.input');
        yield reply.start();
        yield reply.end();
      }),
      {},
      configured((own) => own.useGlobalPipes(STRICT)),
    );
    const input = inputOf({
      state: { open: { deep: [1, '2', null] } },
      forwardedProps: { anything: true },
      context: [{ description: 'page', value: '{}' }],
      tools: [{ name: 'x', description: 'y', parameters: { type: 'object' } }],
    });
    const events = await run(
      app,
      { ...input, unknown: 1 },
      {
        path: '/agui/run/default',
      },
    );

    expect(typesOf(events)).toEqual(['RUN_STARTED', 'RUN_FINISHED']);
    expect(seen).toEqual(input);
    const problem = await post(app, {});
    expect(problem.status).toBe(400);
    expect(Object.keys((await problem.json()) as object).sort()).toEqual([
      'errors',
      'message',
      'statusCode',
    ]);
  });

  it('should let a global filter shape the answers to bad input', async () => {
    const app = await serve(
      platform,
      sayer('Hi'),
      {},
      configured((own) => own.useGlobalFilters(new HttpFilter())),
    );
    const malformed = await post(app, '{');
    expect(malformed.status).toBe(400);
    expect(await malformed.json()).toMatchObject({
      wrapped: { statusCode: 400, errors: [{ path: '' }] },
    });
    const invalid = await post(app, {});
    expect(await invalid.json()).toMatchObject({
      wrapped: { message: 'The run input is not valid.' },
    });
    expect(typesOf(await run(app))).toEqual(WHOLE);
  });
});
