import {
  Injectable,
  SetMetadata,
  UnauthorizedException,
  UseGuards,
  VersioningType,
  type CanActivate,
  type ExecutionContext,
  type INestApplication,
  type ModuleMetadata,
  type Type,
} from '@nestjs/common';
import { APP_GUARD, Reflector } from '@nestjs/core';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  AguiController,
  AguiModule,
  requestedAgentId,
  type AguiModuleExtras,
  type AguiModuleOptions,
} from 'nestjs-agui';
import { AiSdkAgentModule } from 'nestjs-agui/ai-sdk';
import { closeApps, PLATFORMS, startApp } from './support/app.js';
import { inputOf, post } from './support/client.js';
import { GUARD_WAYS, TOKEN } from './support/guard-ways.js';
import { useMockModels } from './support/mock-models.js';
import { ask } from './support/module-app.js';

const models = useMockModels();

beforeEach(() => {
  vi.spyOn(process, 'cwd').mockReturnValue('/nowhere');
});
afterEach(async () => {
  vi.restoreAllMocks();
  await closeApps();
});

/** What only a module can give to a guard. */
@Injectable()
class Tokens {
  readonly right = TOKEN.authorization;
}

class TokensModule {}
const tokens = {
  module: TokensModule,
  providers: [Tokens],
  exports: [Tokens],
};

function tokenGuard(): Type<CanActivate> {
  @Injectable()
  class TokenGuard implements CanActivate {
    constructor(private readonly tokens: Tokens) {}

    canActivate(context: ExecutionContext): boolean {
      const { headers } = context.switchToHttp().getRequest<{
        headers: Record<string, string>;
      }>();
      if (headers.authorization !== this.tokens.right)
        throw new UnauthorizedException();
      return true;
    }
  }
  return TokenGuard;
}

function guardedController(): Type<AguiController> {
  @UseGuards(tokenGuard())
  class Guarded extends AguiController {}
  return Guarded;
}

function guardedMethod(): Type<AguiController> {
  class Guarded extends AguiController {
    override run(request: unknown, response: unknown): Promise<void> {
      return super.run(request, response);
    }
  }
  const { run } = Object.getOwnPropertyDescriptors(Guarded.prototype);
  UseGuards(tokenGuard())(Guarded.prototype, 'run', run!);
  return Guarded;
}

type RootOptions = AguiModuleOptions & AguiModuleExtras;

const OPTIONS: Record<string, () => RootOptions> = {
  'a guard class': () => ({ guards: [tokenGuard()] }),
  'a guard': () => ({ guards: [new (tokenGuard())(new Tokens())] }),
  'UseGuards as a decorator': () => ({
    decorators: [UseGuards(tokenGuard())],
  }),
  'UseGuards as a decorator, with a guard': () => ({
    decorators: [UseGuards(new (tokenGuard())(new Tokens()))],
  }),
  'a controller': () => ({ controller: guardedController() }),
  'a controller with a guard on its method': () => ({
    controller: guardedMethod(),
  }),
};

describe.each(PLATFORMS)('Guards of AiSdkAgentModule on %s', (platform) => {
  const start = (
    imports: ModuleMetadata['imports'],
    providers: ModuleMetadata['providers'] = [],
    configure?: (app: INestApplication) => unknown,
  ) => startApp(platform, { imports, providers }, { configure });

  it.each(Object.entries(OPTIONS))(
    'should be asked at /agent when AguiModule is given %s',
    async (_what, options) => {
      models.script('Hello.');
      const app = await start([
        AiSdkAgentModule.forRoot({
          model: models.model(),
          agui: { imports: [tokens], ...options() },
        }),
      ]);
      expect(await ask(app, { path: '/agent' })).toBe(401);
      expect((await post(app, '{}', { path: '/agent' })).status).toBe(401);
      expect(models.requests()).toHaveLength(0);
      expect(await ask(app, { path: '/agent', headers: TOKEN })).toBe('Hello.');
    },
  );

  it.each(Object.entries(OPTIONS))(
    "should be asked at /agent when the application's own AguiModule has %s",
    async (_what, options) => {
      models.script('Hello.');
      const app = await start([
        AguiModule.forRoot({ imports: [tokens], ...options() }),
        AiSdkAgentModule.forRoot({ model: models.model(), agui: false }),
      ]);
      expect(await ask(app, { path: '/agent' })).toBe(401);
      expect(await ask(app, { path: '/agent', headers: TOKEN })).toBe('Hello.');
    },
  );

  it.each(Object.entries(GUARD_WAYS))(
    'should be asked at /agent as %s, before it is known that nothing is there',
    async (_way, guarded) => {
      const { metadata, configure } = guarded();
      const app = await start(
        [
          ...(metadata.imports ?? []),
          AiSdkAgentModule.forRoot({ model: models.model(), agui: false }),
        ],
        metadata.providers,
        configure,
      );
      expect(await ask(app, { path: '/agent' })).toBe(401);
      expect(await ask(app, { path: '/agent', headers: TOKEN })).toBe(404);
    },
  );

  it('should find at /agent what the decorators say to global guards', async () => {
    @Injectable()
    class RolesGuard implements CanActivate {
      constructor(private readonly reflector: Reflector) {}

      canActivate(context: ExecutionContext): boolean {
        const role = this.reflector.getAllAndOverride<string | undefined>(
          'role',
          [context.getHandler(), context.getClass()],
        );
        const { headers } = context.switchToHttp().getRequest<{
          headers: Record<string, string>;
        }>();
        return role === undefined || headers['x-role'] === role;
      }
    }
    models.script('Hello.');
    const app = await start(
      [
        AiSdkAgentModule.forRoot({
          model: models.model(),
          agui: { decorators: [SetMetadata('role', 'admin')] },
        }),
      ],
      [{ provide: APP_GUARD, useClass: RolesGuard }],
    );
    expect(await ask(app, { path: '/agent' })).toBe(403);
    const headers = { 'x-role': 'admin' };
    expect(await ask(app, { path: '/agent', headers })).toBe('Hello.');
  });

  it('should know which agent is asked for at /agent, whatever a header says', async () => {
    class NotTheDefault implements CanActivate {
      canActivate(context: ExecutionContext): boolean {
        return requestedAgentId(context) !== 'default';
      }
    }
    const app = await start(
      [AiSdkAgentModule.forRoot({ model: models.model() })],
      [{ provide: APP_GUARD, useClass: NotTheDefault }],
    );
    const headers = { 'x-agent-id': 'other' };
    expect(await ask(app, { path: '/agent', headers })).toBe(403);
    expect(await ask(app, { path: '/agui/run' })).toBe(403);
    expect(await ask(app, { path: '/agui/run', headers })).toBe(404);
  });

  it('should each be asked once, and in their order', async () => {
    const asked: string[] = [];
    const guard = (name: string): CanActivate => ({
      canActivate: () => asked.push(name) > 0,
    });
    models.script('Hello.');
    const app = await start([
      AiSdkAgentModule.forRoot({
        model: models.model(),
        agui: {
          guards: [guard('one'), guard('two')],
          decorators: [UseGuards(guard('decorator'))],
        },
      }),
    ]);
    await ask(app, { path: '/agent' });
    const atAgent = asked.splice(0);
    await ask(app, { path: '/agui/run' });
    expect(atAgent).toHaveLength(3);
    expect(atAgent).toEqual(asked);
  });

  it('should have the version of the other routes', async () => {
    models.script('Hello.');
    const app = await start(
      [
        AiSdkAgentModule.forRoot({
          model: models.model(),
          agui: { version: '2' },
        }),
      ],
      [],
      (nest) => nest.enableVersioning({ type: VersioningType.URI }),
    );
    expect(await ask(app, { path: '/agent' })).toBe(404);
    expect(await ask(app, { path: '/v2/agent' })).toBe('Hello.');
  });

  it('should be those of one application, though another is declared by the same class', async () => {
    const controller = guardedController();
    const declared = () =>
      AiSdkAgentModule.forRoot({
        model: models.model(),
        agui: { imports: [tokens], controller },
      });
    for (let n = 0; n < 2; n++) {
      models.script('Hello.');
      const app = await start([declared()]);
      expect(await ask(app, { path: '/agent' })).toBe(401);
      expect(await ask(app, { path: '/agent', headers: TOKEN })).toBe('Hello.');
    }
  });

  it('should let the answer tell nothing but 401', async () => {
    const app = await start([
      AiSdkAgentModule.forRoot({
        model: models.model(),
        agui: { imports: [tokens], guards: [tokenGuard()] },
      }),
    ]);
    const response = await post(app, inputOf(), { path: '/agent' });
    expect(await response.json()).toEqual({
      statusCode: 401,
      message: 'Unauthorized',
    });
  });
});
