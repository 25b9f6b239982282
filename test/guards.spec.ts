import {
  Controller,
  ForbiddenException,
  HttpException,
  Inject,
  Injectable,
  Module,
  Param,
  Post,
  Req,
  Res,
  Scope,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
  type ModuleMetadata,
  type Type,
} from '@nestjs/common';
import { REQUEST } from '@nestjs/core';
import { EMPTY, of, throwError } from 'rxjs';
import { afterEach, describe, expect, it } from 'vitest';
import {
  AguiConfigurationError,
  AguiController,
  AguiModule,
  type GuardSource,
} from 'nestjs-agui';
import { sayer } from './support/agents.js';
import { closeApps, PLATFORMS, startApp, type TestApp } from './support/app.js';
import { inputOf, post } from './support/client.js';
import { GUARD_WAYS, TOKEN } from './support/guard-ways.js';
import {
  ask,
  getJson,
  tellerOf,
  type RootOptions,
} from './support/module-app.js';

afterEach(closeApps);

interface NativeRequest {
  headers: Record<string, string>;
  params: Record<string, string>;
  user?: { id: string };
}

const requestOf = (context: ExecutionContext) =>
  context.switchToHttp().getRequest<NativeRequest>();

describe.each(PLATFORMS)('Guards on %s', (platform) => {
  function start(
    options: Parameters<typeof AguiModule.forRoot>[0],
    providers: ModuleMetadata['providers'] = [],
  ): Promise<TestApp> {
    return startApp(platform, {
      imports: [
        AguiModule.forRoot({ agents: { default: sayer('hello') }, ...options }),
      ],
      providers,
    });
  }

  describe.each(Object.entries(GUARD_WAYS))('as %s', (_way, guarded) => {
    it('should refuse who has no token on every route, and let others in', async () => {
      const { metadata, configure } = guarded();
      const app = await startApp(platform, metadata, { configure });
      expect(await ask(app)).toBe(401);
      expect(await ask(app, { path: '/agui/run/default' })).toBe(401);
      expect((await getJson(app, '/agui/agents')).status).toBe(401);
      expect(await ask(app, { headers: TOKEN })).toBe('hello');
      expect(
        await ask(app, { path: '/agui/run/default', headers: TOKEN }),
      ).toBe('hello');
    });
  });

  describe('should take as an answer', () => {
    const answers: [string, () => unknown, string | number][] = [
      ['true', () => true, 'hello'],
      ['false', () => false, 403],
      ['undefined', () => undefined, 403],
      ['a promise of true', () => Promise.resolve(true), 'hello'],
      ['a promise of false', () => Promise.resolve(false), 403],
      ['an Observable of true', () => of(true), 'hello'],
      ['an Observable of false', () => of(false), 403],
      ['an Observable of nothing', () => EMPTY, 403],
      [
        'an HttpException',
        () => {
          throw new HttpException('I am a teapot', 418);
        },
        418,
      ],
      [
        'a promise of an HttpException',
        () => Promise.reject(new HttpException('Pay', 402)),
        402,
      ],
      [
        'an Observable of an HttpException',
        () => throwError(() => new HttpException('Gone', 410)),
        410,
      ],
      [
        'an error',
        () => {
          throw new Error('secret detail');
        },
        500,
      ],
    ];

    it.each(answers)('%s', async (_what, answer, expected) => {
      let ran = false;
      const app = await start({
        agents: {
          default: tellerOf(() => {
            ran = true;
            return 'hello';
          }),
        },
        guards: [{ canActivate: answer as never }],
      });
      expect(await ask(app)).toBe(expected);
      expect(ran).toBe(expected === 'hello');
    });
  });

  it('should refuse with JSON that says nothing of an error inside', async () => {
    const app = await start({
      guards: [
        {
          canActivate: () => {
            throw new Error('secret detail');
          },
        },
      ],
    });
    const response = await post(app);
    expect(response.status).toBe(500);
    expect(response.headers.get('content-type')).toContain('json');
    expect(await response.text()).not.toContain('secret');
  });

  it('should be asked before the input is looked at', async () => {
    const app = await start({ guards: [{ canActivate: () => false }] });
    for (const body of ['[]', '{}', '{"threadId":5}'])
      expect((await post(app, body)).status).toBe(403);
  });

  it('should be asked in their order, and no further once one refuses', async () => {
    const asked: string[] = [];
    const guard = (name: string, verdict = true): CanActivate => ({
      canActivate: () => {
        asked.push(name);
        return verdict;
      },
    });
    @UseGuards(guard('controller'))
    class Guarded extends AguiController {}
    const app = await startApp(
      platform,
      {
        imports: [
          AguiModule.forRootAsync({
            controller: Guarded,
            decorators: [UseGuards(guard('decorator'))],
            guards: [guard('declared 1'), guard('declared 2')],
            useFactory: () => ({
              agents: { default: sayer('hello') },
              guards: [
                guard('option 1'),
                guard('option 2', false),
                guard('option 3'),
              ],
            }),
          }),
        ],
      },
      { configure: (nest) => nest.useGlobalGuards(guard('global')) },
    );
    expect(await ask(app)).toBe(403);
    expect(asked).toEqual([
      'global',
      'controller',
      'decorator',
      'declared 1',
      'declared 2',
      'option 1',
      'option 2',
    ]);
  });

  it('should see the agent id of the path, the handler and the class', async () => {
    const seen: unknown[] = [];
    const app = await start({
      guards: [
        {
          canActivate: (context) => {
            const { agentId } = requestOf(context).params ?? {};
            seen.push([
              context.getType(),
              agentId,
              context.getHandler().name,
              context.getClass().prototype instanceof AguiController,
            ]);
            if (agentId === 'admin') throw new ForbiddenException();
            return true;
          },
        },
      ],
    });
    expect(await ask(app, { path: '/agui/run/default' })).toBe('hello');
    expect(await ask(app)).toBe('hello');
    expect(await ask(app, { path: '/agui/run/admin' })).toBe(403);
    expect(seen).toEqual([
      ['http', 'default', 'runAgent', true],
      ['http', undefined, 'run', true],
      ['http', 'admin', 'runAgent', true],
    ]);
  });

  it('should put the user where context resolvers see it', async () => {
    const app = await start({
      guards: [
        {
          canActivate: (context) => {
            const request = requestOf(context);
            request.user = { id: request.headers['x-user']! };
            return true;
          },
        },
      ],
      contextResolvers: [
        {
          resolve: ({ nativeRequest }) => ({
            userId: (nativeRequest as NativeRequest).user!.id,
          }),
        },
      ],
      agents: {
        default: tellerOf((_messages, { userId }) => `I am ${userId}`),
      },
    });
    expect(await ask(app, { headers: { 'x-user': 'ann' } })).toBe('I am ann');
  });

  describe('that are classes', () => {
    @Injectable()
    class Keys {
      has(key: string | undefined) {
        return key === 'right';
      }
    }
    @Module({ providers: [Keys], exports: [Keys] })
    class KeysModule {}

    @Injectable()
    class KeyGuard implements CanActivate {
      constructor(private readonly keys: Keys) {}

      canActivate(context: ExecutionContext) {
        return this.keys.has(requestOf(context).headers['x-key']);
      }
    }

    /** What is said to no key, to a wrong one, to the right one. */
    async function answersOf(app: TestApp) {
      return [
        await ask(app),
        await ask(app, { headers: { 'x-key': 'wrong' } }),
        await ask(app, { headers: { 'x-key': 'right' } }),
      ];
    }
    const KEYED = [403, 403, 'hello'];

    it('should have what they depend on from the imports of forRoot', async () => {
      const app = await start({ guards: [KeyGuard], imports: [KeysModule] });
      expect(await answersOf(app)).toEqual(KEYED);
    });

    it('should have what they depend on from the imports of forRootAsync', async () => {
      const options: RootOptions = { agents: { default: sayer('hello') } };
      for (const module of [
        AguiModule.forRootAsync({
          imports: [KeysModule],
          useFactory: () => ({ ...options, guards: [KeyGuard] }),
        }),
        AguiModule.forRootAsync({
          imports: [KeysModule],
          guards: [KeyGuard],
          useFactory: () => options,
        }),
        AguiModule.forRootAsync({
          imports: [KeysModule],
          decorators: [UseGuards(KeyGuard)],
          useFactory: () => options,
        }),
      ])
        expect(
          await answersOf(await startApp(platform, { imports: [module] })),
        ).toEqual(KEYED);
    });

    it('should be the provider of the application if there is one', async () => {
      let made = 0;
      @Injectable()
      class Counting implements CanActivate {
        readonly number = ++made;

        canActivate() {
          return true;
        }
      }
      const app = await start({ guards: [Counting] }, [Counting]);
      expect(await ask(app)).toBe('hello');
      expect(made).toBe(1);
    });

    it('should stop the start if they cannot be made', async () => {
      await expect(start({ guards: [KeyGuard] })).rejects.toThrow(
        /can't resolve dependencies of the KeyGuard/,
      );
    });

    const scopes: [string, (guard: Type) => unknown][] = [
      ['request-scoped', Injectable({ scope: Scope.REQUEST })],
      ['transient', Injectable({ scope: Scope.TRANSIENT })],
      ['of the default scope', Injectable()],
    ];

    it.each(scopes)(
      'should inject the request if they are %s, provided or not',
      async (_name, scoped) => {
        @Injectable({ scope: Scope.REQUEST })
        class Token {
          readonly value: string | undefined;

          constructor(@Inject(REQUEST) { headers }: NativeRequest) {
            this.value = headers['x-key'];
          }
        }
        class TokenGuard implements CanActivate {
          @Inject(Token) private readonly token!: Token;

          canActivate() {
            return this.token.value === 'right';
          }
        }
        scoped(TokenGuard);
        class TokenModule {}
        const tokens = {
          module: TokenModule,
          providers: [Token],
          exports: [Token],
        };
        const options = { guards: [TokenGuard], imports: [tokens] };
        for (const providers of [[], [Token, TokenGuard]])
          expect(await answersOf(await start(options, providers))).toEqual(
            KEYED,
          );
      },
    );
  });

  it.each([
    ['undefined', undefined],
    ['null', null],
    ['a text', 'AuthGuard'],
    ['an object without canActivate', {}],
  ])('should stop the start for %s in their list', async (_what, wrong) => {
    const guards = [{ canActivate: () => true }, wrong as GuardSource];
    const given = [
      AguiModule.forRoot({ guards }),
      AguiModule.forRootAsync({ guards, useFactory: () => ({}) }),
      AguiModule.forRootAsync({ useFactory: () => ({ guards }) }),
    ];
    for (const module of given) {
      const starting = startApp(platform, { imports: [module] });
      await expect(starting).rejects.toThrow(AguiConfigurationError);
      await expect(starting).rejects.toThrow(/"guards" contains .*; allowed: /);
    }
  });

  it('should be asked for routes that a derived controller overrides', async () => {
    @Controller()
    class Overriding extends AguiController {
      @Post('run')
      override run(@Req() request: unknown, @Res() response: unknown) {
        return super.run(request, response);
      }

      @Post('run/:agentId')
      override runAgent(
        @Req() request: unknown,
        @Res() response: unknown,
        @Param('agentId') agentId: string,
      ) {
        return super.runAgent(request, response, agentId);
      }
    }
    const app = await start({
      controller: Overriding,
      guards: [{ canActivate: () => false }],
    });
    expect(await ask(app)).toBe(403);
    expect(await ask(app, { path: '/agui/run/default' })).toBe(403);
  });

  it('should be asked once for each request', async () => {
    let asked = 0;
    const app = await start({
      guards: [
        {
          canActivate: () => {
            asked++;
            return true;
          },
        },
      ],
    });
    await ask(app);
    await ask(app, { path: '/agui/run/default', input: inputOf() });
    expect(asked).toBe(2);
  });
});
