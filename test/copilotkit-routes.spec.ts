import {
  Injectable,
  Param,
  Req,
  Res,
  SetMetadata,
  UseGuards,
  VersioningType,
  type CanActivate,
  type ExecutionContext,
  type INestApplication,
  type ModuleMetadata,
} from '@nestjs/common';
import { APP_GUARD, Reflector, RouterModule } from '@nestjs/core';
import { afterEach, describe, expect, it } from 'vitest';
import {
  AguiConfigurationError,
  AguiController,
  AguiModule,
  requestedAgentId,
} from 'nestjs-agui';
import { CopilotKitModule } from 'nestjs-agui/copilotkit';
import { sayer } from './support/agents.js';
import { closeApps, PLATFORMS, startApp, type TestApp } from './support/app.js';
import { eventsOf, textOf } from './support/client.js';
import {
  oldInput,
  send,
  serveCopilotKit,
  SPELLINGS,
  type Manner,
  type Spelling,
} from './support/copilotkit.js';
import { GUARD_WAYS, TOKEN } from './support/guard-ways.js';

afterEach(closeApps);

const agents = { default: sayer('hello'), admin: sayer('secret') };
const { authorization } = TOKEN;

/** What the agent says, or the status that refuses the run. */
async function ask(
  app: TestApp,
  spelling: Spelling,
  manner?: Manner,
  agentId = 'default',
): Promise<string | number> {
  const response = await send(app, spelling.run(agentId, oldInput()), manner);
  if (response.status === 200) return textOf(await eventsOf(response));
  await response.text();
  return response.status;
}

/** The statuses of all that a client asks. */
async function statusesOf(
  app: TestApp,
  spelling: Spelling,
  manner?: Manner,
  agentId = 'default',
): Promise<number[]> {
  const statuses = [];
  for (const request of [
    spelling.info(),
    spelling.run(agentId, oldInput()),
    spelling.connect(agentId, oldInput()),
    spelling.stop(agentId, 't1'),
  ]) {
    const response = await send(app, request, manner);
    await response.text();
    statuses.push(response.status);
  }
  return statuses;
}

describe.each(PLATFORMS)("CopilotKit's routes on %s", (platform) => {
  function start(
    metadata: ModuleMetadata,
    configure?: (app: INestApplication) => unknown,
  ): Promise<TestApp> {
    return startApp(platform, metadata, { configure });
  }

  const root = (options?: Parameters<typeof AguiModule.forRoot>[0]) =>
    AguiModule.forRoot({ agents, ...options });

  describe.each(SPELLINGS)('with %s', (_name, spelling) => {
    it.each([
      ['their path', () => CopilotKitModule.forRoot({ basePath: '/ck' })],
      [
        'their path from a factory',
        () =>
          CopilotKitModule.forRootAsync({
            useFactory: () => Promise.resolve({ basePath: 'ck' }),
          }),
      ],
      [
        'their path from a class',
        () =>
          CopilotKitModule.forRootAsync({
            useClass: class {
              create = () => ({ basePath: '/ck/' });
            },
          }),
      ],
    ])('should have %s', async (_where, module) => {
      const app = await start({ imports: [root(), module()] });
      expect(await ask(app, spelling, { base: '/ck' })).toBe('hello');
      expect(await ask(app, spelling)).toBe(404);
    });

    it('should be below the global prefix and the version of AguiModule', async () => {
      const imports = [
        root({ version: '2' }),
        CopilotKitModule.forRoot({ basePath: 'copilotkit' }),
      ];
      const app = await start({ imports }, (nest) =>
        nest.setGlobalPrefix('api').enableVersioning(),
      );
      const base = '/api/v2/copilotkit';
      expect(await statusesOf(app, spelling, { base })).toEqual(
        Array(4).fill(200),
      );
      expect(await ask(app, spelling, { base: '/api/copilotkit' })).toBe(404);
    });

    it('should have a version in a header', async () => {
      const imports = [root({ version: '1' }), CopilotKitModule.forRoot()];
      const app = await start({ imports }, (nest) =>
        nest.enableVersioning({
          type: VersioningType.HEADER,
          header: 'x-version',
        }),
      );
      const version = (version: string) => ({
        headers: { 'x-version': version },
      });
      expect(await ask(app, spelling, version('1'))).toBe('hello');
      expect(await ask(app, spelling, version('2'))).toBe(404);
      expect(await ask(app, spelling)).toBe(404);
    });

    it('should be below the path of a RouterModule', async () => {
      const imports = [
        root(),
        CopilotKitModule.forRoot({ basePath: 'ck' }),
        RouterModule.register([
          { path: 'tenants/:tenant', module: CopilotKitModule },
        ]),
      ];
      const app = await start({ imports });
      const base = '/tenants/a/ck';
      expect(await ask(app, spelling, { base })).toBe('hello');
    });

    it('should have a query, if the client likes', async () => {
      const app = await serveCopilotKit(platform, sayer('hello'));
      for (const { path, ...rest } of [
        spelling.info(),
        spelling.run('default', oldInput()),
      ]) {
        const response = await send(app, { ...rest, path: `${path}?a=b` });
        await response.text();
        expect(response.status).toBe(200);
      }
    });

    it.each([
      ['of the options', (guard: CanActivate) => [root({ guards: [guard] })]],
      [
        'of the application',
        (guard: CanActivate) => [
          root(),
          {
            module: class GuardModule {},
            providers: [{ provide: APP_GUARD, useValue: guard }],
          },
        ],
      ],
    ])(
      'should deny an agent that a guard %s denies',
      async (_whose, imports) => {
        const seen: unknown[] = [];
        const app = await start({
          imports: [
            ...imports({
              canActivate: (context) => {
                const asked = requestedAgentId(context);
                seen.push(asked);
                return asked !== 'admin';
              },
            }),
            CopilotKitModule.forRoot(),
          ],
        });
        expect(await statusesOf(app, spelling, {}, 'admin')).toEqual([
          200, 403, 403, 403,
        ]);
        expect(seen).toEqual(['default', 'admin', 'admin', 'admin']);
        expect(await ask(app, spelling)).toBe('hello');
      },
    );

    it('should ask the guards and roles of the methods of a derived controller', async () => {
      const Roles = (role: string) => SetMetadata('role', role);
      @Injectable()
      class RolesGuard implements CanActivate {
        constructor(private readonly reflector: Reflector) {}

        canActivate(context: ExecutionContext) {
          return this.reflector.get('role', context.getHandler()) !== 'nobody';
        }
      }
      class Derived extends AguiController {
        @Roles('nobody')
        override connectAgent(
          @Req() request: unknown,
          @Res() response: unknown,
          @Param('agentId') agentId: string,
        ) {
          return super.connectAgent(request, response, agentId);
        }

        @UseGuards({ canActivate: () => false })
        override cancel(
          @Req() request: unknown,
          @Res({ passthrough: true }) response: unknown,
        ) {
          return super.cancel(request, response);
        }
      }
      const app = await start({
        imports: [root({ controller: Derived }), CopilotKitModule.forRoot()],
        providers: [{ provide: APP_GUARD, useClass: RolesGuard }],
      });
      expect(await statusesOf(app, spelling)).toEqual([200, 200, 403, 403]);
    });

    it('should let browsers of other origins in, as AguiModule does', async () => {
      const origin = 'https://app.example.com';
      const app = await serveCopilotKit(platform, sayer('hello'), {
        corsAllowedOrigins: [origin],
      });
      const { method, path } = spelling.run('default', oldInput());
      const preflight = await fetch(`${app.url}/api/copilotkit${path}`, {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': method,
          'access-control-request-headers': 'content-type',
        },
      });
      expect(preflight.status).toBe(204);
      for (const request of [
        spelling.info(),
        spelling.run('default', oldInput()),
      ]) {
        const response = await send(app, request, { headers: { origin } });
        await response.text();
        expect(response.headers.get('access-control-allow-origin')).toBe(
          origin,
        );
      }
    });

    it('should read as much as AguiModule does', async () => {
      const app = await serveCopilotKit(platform, sayer('hello'), {
        bodyLimit: '300kb',
      });
      const statusOf = async (size: number) => {
        const state = { text: 'x'.repeat(size) };
        const request = spelling.run('default', oldInput({ state }));
        return (await send(app, request)).status;
      };
      expect(await statusOf(200_000)).toBe(200);
      expect(await statusOf(400_000)).toBe(413);
    });

    it('should leave other routes alone', async () => {
      const app = await serveCopilotKit(platform, sayer('hello'));
      const paths = ['/threads', '/agent/default', '/agent/default/suggest'];
      for (const path of paths)
        expect(
          (await send(app, { method: 'POST', path, body: {} })).status,
        ).toBe(404);
    });
  });

  it.each(Object.entries(GUARD_WAYS))(
    'should refuse who has no token, guarded by %s',
    async (_way, guarded) => {
      const { metadata, configure } = guarded();
      const imports = [...(metadata.imports ?? []), CopilotKitModule.forRoot()];
      const app = await start({ ...metadata, imports }, configure);
      for (const [, spelling] of SPELLINGS) {
        expect(await statusesOf(app, spelling)).toEqual(Array(4).fill(401));
        expect(
          await statusesOf(app, spelling, { headers: { authorization } }),
        ).toEqual(Array(4).fill(200));
      }
    },
  );

  it('should serve AguiModule that is not global', async () => {
    const app = await start({
      imports: [root({ isGlobal: false }), CopilotKitModule.forRoot()],
    });
    for (const [, spelling] of SPELLINGS)
      expect(await ask(app, spelling)).toBe('hello');
  });

  it('should be at several places, if an application likes', async () => {
    const app = await start({
      imports: [
        root(),
        CopilotKitModule.forRoot({ basePath: '/one' }),
        CopilotKitModule.forRoot({ basePath: '/two' }),
      ],
    });
    for (const base of ['/one', '/two'])
      for (const [, spelling] of SPELLINGS)
        expect(await ask(app, spelling, { base })).toBe('hello');
  });
});

describe('CopilotKitModule', () => {
  const starting = (...imports: NonNullable<ModuleMetadata['imports']>) =>
    startApp('express', { imports });

  it('should not start without AguiModule', async () => {
    const start = starting(CopilotKitModule.forRoot());
    await expect(start).rejects.toThrow(AguiConfigurationError);
    await expect(start).rejects.toThrow('import AguiModule.forRoot()');
  });

  it.each([
    [{ basePath: 'a path with blanks' }, /"basePath" .*allowed: a path/],
    [{ basePath: 5 }, /"basePath" .* is 5; allowed: a path/],
    [{ interruptOnDisconnect: 'yes' }, /allowed: true or false/],
    [{ runtimeUrl: '/x' }, /"runtimeUrl" is no option of CopilotKitModule/],
    [undefined, /options of CopilotKitModule are undefined/],
  ])('should not start with the options %o', async (options, message) => {
    const start = starting(
      AguiModule.forRoot({ agents }),
      CopilotKitModule.forRootAsync({ useFactory: () => options as never }),
    );
    await expect(start).rejects.toThrow(AguiConfigurationError);
    await expect(start).rejects.toThrow(message);
  });

  it('should not take asynchronous options from nowhere', () => {
    expect(() => CopilotKitModule.forRootAsync({})).toThrow(
      /needs useFactory, useClass or useExisting/,
    );
  });
});
