import {
  ForbiddenException,
  HttpException,
  Injectable,
  UnauthorizedException,
} from '@nestjs/common';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  AguiModule,
  AguiRuntimeContextResolver,
  Order,
  RuntimeContext,
  type AguiRuntimeContextRequest,
  type ResolvedContext,
} from 'nestjs-agui';
import { closeApps, PLATFORMS, startApp, type TestApp } from './support/app.js';
import { inputOf, post } from './support/client.js';
import { ask, tellerOf, type RootOptions } from './support/module-app.js';

afterEach(closeApps);

type Resolve = (
  request: AguiRuntimeContextRequest,
) => ResolvedContext | Promise<ResolvedContext>;

describe.each(PLATFORMS)('Context resolvers on %s', (platform) => {
  /** An application whose agent says a part of its context as JSON. */
  function start(
    part: (context: RuntimeContext) => unknown,
    resolvers: Resolve[],
    options: RootOptions = {},
  ): Promise<TestApp> {
    const teller = tellerOf((_messages, context) =>
      JSON.stringify(part(context)),
    );
    return startApp(platform, {
      imports: [
        AguiModule.forRoot({
          agents: { default: teller, other: teller },
          contextResolvers: resolvers.map((resolve) => ({ resolve })),
          ...options,
        }),
      ],
    });
  }

  async function seen(...[app, how]: Parameters<typeof ask>) {
    return JSON.parse(String(await ask(app, how))) as unknown;
  }

  it('should see the transport, the agent ids, the headers, the query and the input', async () => {
    const app = await start(
      (context) => context.get('seen'),
      [
        (request) => ({
          seen: {
            transport: request.transport,
            pathAgentId: request.pathAgentId,
            headerAgentId: request.headerAgentId,
            tenant: request.headers['x-tenant'],
            first: request.firstHeader('X-TENANT'),
            none: request.firstHeader('x-none') ?? 'none',
            one: request.firstQuery('one'),
            list: request.firstQuery('list'),
            all: request.query.list,
            thread: request.input.threadId,
          },
        }),
      ],
    );
    const query = '?one=1&list=a&list=b';
    expect(
      await seen(app, {
        path: `/agui/run/other${query}`,
        headers: { 'x-agent-id': 'default', 'X-Tenant': 'acme' },
        input: { threadId: 'thread' },
      }),
    ).toEqual({
      transport: platform,
      pathAgentId: 'other',
      headerAgentId: 'default',
      tenant: 'acme',
      first: 'acme',
      none: 'none',
      one: '1',
      list: 'a',
      all: ['a', 'b'],
      thread: 'thread',
    });
    const input = { threadId: 'another' };
    expect(await seen(app, { input })).toEqual({
      transport: platform,
      none: 'none',
      thread: 'another',
    });
  });

  it("should see the platform's request with what guards put on it", async () => {
    const app = await start(
      (context) => [context.userId, context.get('method')],
      [
        ({ nativeRequest }) => {
          const { user, method } = nativeRequest as {
            user: string;
            method: string;
          };
          return { userId: user, method };
        },
      ],
      {
        guards: [
          {
            canActivate: (context) => {
              context.switchToHttp().getRequest<{ user: string }>().user =
                'ann';
              return true;
            },
          },
        ],
      },
    );
    expect(await seen(app)).toEqual(['ann', 'POST']);
  });

  it('should give values, a context, nothing, or promises of these', async () => {
    class Tenant {
      constructor(readonly name: string) {}
    }
    const app = await start(
      (context) => [
        context.userId,
        context.get('a'),
        context.get('b'),
        context.get('c'),
        context.get(Tenant)?.name,
      ],
      [
        () => ({ a: 1 }),
        () => Promise.resolve({ b: 2 }),
        () => undefined,
        () => Promise.resolve(undefined),
        () => null as never,
        () =>
          new RuntimeContext({ userId: 'ann', entries: { c: 3 } }).put(
            Tenant,
            new Tenant('acme'),
          ),
      ],
    );
    expect(await seen(app)).toEqual(['ann', 1, 2, 3, 'acme']);
  });

  it('should merge in @Order, a later value winning', async () => {
    @Order(2)
    @AguiRuntimeContextResolver()
    class Second implements AguiRuntimeContextResolver {
      resolve = () => ({ userId: 'second', both: 'second', two: 2 });
    }
    @Order(1)
    @Injectable()
    @AguiRuntimeContextResolver()
    class First implements AguiRuntimeContextResolver {
      async resolve() {
        await new Promise((resolve) => setTimeout(resolve, 5));
        return { userId: 'first', both: 'first', one: 1 };
      }
    }
    const app = await startApp(platform, {
      imports: [
        AguiModule.forRoot({
          agents: {
            default: tellerOf((_messages, context) =>
              JSON.stringify([
                context.userId,
                context.get('both'),
                context.get('one'),
                context.get('two'),
              ]),
            ),
          },
          contextResolvers: [() => undefined].map((resolve) => ({ resolve })),
        }),
      ],
      providers: [Second, First],
    });
    expect(await seen(app)).toEqual(['second', 'second', 1, 2]);
  });

  it('should keep a userId that a later resolver does not name', async () => {
    const app = await start(
      ({ userId }) => userId,
      [() => ({ userId: 'ann' }), () => ({ tenant: 'acme' }), () => undefined],
    );
    expect(await seen(app)).toBe('ann');
  });

  it('should take a number as a userId', async () => {
    const app = await start(({ userId }) => userId, [() => ({ userId: 42 })]);
    expect(await seen(app)).toBe('42');
  });

  it.each([
    [{ userId: { id: 42 } }, 'a userId that is object'],
    [{ userId: NaN }, 'a userId that is NaN'],
    [{ userId: Infinity }, 'a userId that is Infinity'],
    [{ userId: true }, 'a userId that is boolean'],
    ['ann', 'a string'],
    [42, 'a number'],
    [[{ userId: 'ann' }], 'a list'],
    [() => ({ userId: 'ann' }), 'a function'],
  ])('should let nobody in by a result such as %o', async (result, what) => {
    class Strange {
      resolve = () => result as never;
    }
    const asked = vi.fn<() => string>();
    const app = await startApp(platform, {
      imports: [
        AguiModule.forRoot({
          agents: { default: tellerOf(asked) },
          contextResolvers: [new Strange()],
        }),
      ],
    });
    expect(await ask(app)).toBe(500);
    expect(asked).not.toHaveBeenCalled();
    expect(app.log.join()).toContain(
      `The context resolver Strange returned ${what}; it must`,
    );
  });

  it('should never overwrite what the protocol says', async () => {
    const app = await start(
      (context) => [
        context.sessionId,
        context.get('agui.threadId'),
        context.get('agui.runId'),
      ],
      [
        () => ({ 'agui.threadId': 'forged', 'agui.runId': 'forged' }),
        () => new RuntimeContext({ sessionId: 'forged' }),
      ],
    );
    const input = { threadId: 't1', runId: 'r1' };
    expect(await seen(app, { input })).toEqual(['t1', 't1', 'r1']);
  });

  it('should be the only source of a userId', async () => {
    const app = await start((context) => [context.userId ?? 'nobody'], []);
    const input = {
      userId: 'admin',
      forwardedProps: { userId: 'admin', user: { id: 'admin' } },
      state: { userId: 'admin' },
    };
    expect(
      await seen(app, {
        path: '/agui/run?userId=admin',
        headers: { 'x-user-id': 'admin', userid: 'admin' },
        input,
      }),
    ).toEqual(['nobody']);
  });

  it.each<[string, Resolve, number]>([
    [
      'an UnauthorizedException',
      () => {
        throw new UnauthorizedException('Who are you?');
      },
      401,
    ],
    [
      'a promise of a ForbiddenException',
      () => Promise.reject(new ForbiddenException('Not yours.')),
      403,
    ],
    [
      'another HttpException',
      () => {
        throw new HttpException({ code: 'QUOTA' }, 429);
      },
      429,
    ],
    [
      'an error',
      () => {
        throw new Error('secret detail');
      },
      500,
    ],
  ])(
    'should refuse the run before its stream with %s',
    async (_what, resolve, status) => {
      let asked = false;
      const app = await start(
        () => null,
        [
          resolve,
          () => {
            asked = true;
          },
        ],
      );
      const response = await post(app, inputOf());
      expect(response.status).toBe(status);
      expect(response.headers.get('content-type')).toContain('json');
      expect(await response.text()).not.toContain('secret');
      expect(asked).toBe(false);
    },
  );

  it('should not be asked for what is no run', async () => {
    let asked = 0;
    const app = await start(() => null, [() => void asked++]);
    await post(app, '{');
    await post(app, '{}');
    expect(asked).toBe(0);
  });

  it('should keep the values of parallel runs apart', async () => {
    const app = await start(
      (context) => context.get('tenant'),
      [
        async (request) => {
          const tenant = request.firstHeader('x-tenant');
          await new Promise((resolve) =>
            setTimeout(resolve, Math.random() * 5),
          );
          return { tenant };
        },
      ],
    );
    const tenants = Array.from({ length: 20 }, (_, index) => `tenant ${index}`);
    expect(
      await Promise.all(
        tenants.map((tenant) => seen(app, { headers: { 'x-tenant': tenant } })),
      ),
    ).toEqual(tenants);
  });
});
