import {
  Controller,
  Get,
  Module,
  VersioningType,
  type INestApplication,
  type ModuleMetadata,
} from '@nestjs/common';
import { RouterModule } from '@nestjs/core';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { aguiConfig, AguiController, AguiModule } from 'nestjs-agui';
import { sayer } from './support/agents.js';
import { closeApps, PLATFORMS, startApp } from './support/app.js';
import { ask, type RootOptions } from './support/module-app.js';

afterEach(async () => {
  vi.unstubAllEnvs();
  await closeApps();
});

const agents = { default: sayer('hello') };

const root = (options: RootOptions = {}) =>
  AguiModule.forRoot({ agents, ...options });

describe.each(PLATFORMS)('The routes on %s', (platform) => {
  function start(
    imports: NonNullable<ModuleMetadata['imports']>,
    configure?: (app: INestApplication) => unknown,
  ) {
    return startApp(platform, { imports }, { configure });
  }

  it('should take their prefix from asynchronous options', async () => {
    const app = await start([
      AguiModule.forRootAsync({
        useFactory: () => Promise.resolve({ pathPrefix: '/chat/v2', agents }),
      }),
    ]);
    expect(await ask(app, { path: '/chat/v2/run' })).toBe('hello');
    expect(await ask(app, { path: '/chat/v2/run/default' })).toBe('hello');
    expect(await ask(app, { path: '/agui/run' })).toBe(404);
  });

  it('should be below the global prefix', async () => {
    const app = await start([root()], (nest) => nest.setGlobalPrefix('api'));
    expect(await ask(app, { path: '/api/agui/run' })).toBe('hello');
    expect(await ask(app, { path: '/agui/run' })).toBe(404);
  });

  it('should have a version in the path', async () => {
    const app = await start([root({ version: '1' })], (nest) =>
      nest.setGlobalPrefix('api').enableVersioning(),
    );
    expect(await ask(app, { path: '/api/v1/agui/run' })).toBe('hello');
    expect(await ask(app, { path: '/api/v1/agui/run/default' })).toBe('hello');
    expect(await ask(app, { path: '/api/agui/run' })).toBe(404);
    expect(await ask(app, { path: '/api/v2/agui/run' })).toBe(404);
  });

  it('should have the default version of the application', async () => {
    const app = await start([root()], (nest) =>
      nest.enableVersioning({ type: VersioningType.URI, defaultVersion: '3' }),
    );
    expect(await ask(app, { path: '/v3/agui/run' })).toBe('hello');
  });

  it('should have a version in a header', async () => {
    const app = await start([root({ version: '1' })], (nest) =>
      nest.enableVersioning({
        type: VersioningType.HEADER,
        header: 'x-version',
      }),
    );
    expect(await ask(app, { headers: { 'x-version': '1' } })).toBe('hello');
    expect(await ask(app, { headers: { 'x-version': '2' } })).toBe(404);
    expect(await ask(app)).toBe(404);
  });

  it('should take a version that a decorator puts on the controller', async () => {
    const app = await start(
      [root({ decorators: [Controller({ version: '1' })] })],
      (nest) => nest.enableVersioning(),
    );
    expect(await ask(app, { path: '/v1/agui/run' })).toBe('hello');
  });

  it('should be below the path of a RouterModule', async () => {
    const app = await start(
      [
        root(),
        RouterModule.register([
          { path: 'tenants/:tenant', module: AguiModule },
        ]),
      ],
      (nest) => nest.setGlobalPrefix('api'),
    );
    expect(await ask(app, { path: '/api/tenants/a/agui/run' })).toBe('hello');
    expect(await ask(app)).toBe(404);
  });

  it('should leave other routes alone', async () => {
    @Controller('agui')
    class Other {
      @Get('health')
      health() {
        return 'ok';
      }
    }
    const app = await start([
      root(),
      { module: class OtherModule {}, controllers: [Other] },
    ]);
    const response = await fetch(`${app.url}/agui/health`);
    expect(await response.text()).toBe('ok');
  });

  describe('of two registrations in one application', () => {
    it('should serve different agents under different prefixes', async () => {
      const app = await start([
        AguiModule.forRoot({
          pathPrefix: '/a',
          agents: { default: sayer('a'), only: sayer('only a') },
        }),
        AguiModule.forRootAsync({
          useFactory: () => ({
            pathPrefix: '/b',
            agents: { default: sayer('b') },
            runTimeout: '1m',
          }),
        }),
      ]);
      expect(await ask(app, { path: '/a/run' })).toBe('a');
      expect(await ask(app, { path: '/b/run' })).toBe('b');
      expect(await ask(app, { path: '/a/run/only' })).toBe('only a');
      expect(await ask(app, { path: '/b/run/only' })).toBe(404);
    });

    it('should keep their guards, versions and options apart', async () => {
      const app = await start(
        [
          root({
            pathPrefix: '/a',
            version: '1',
            guards: [{ canActivate: () => false }],
          }),
          root({
            pathPrefix: '/b',
            version: '2',
            enablePathRouting: false,
          }),
        ],
        (nest) => nest.enableVersioning(),
      );
      expect(await ask(app, { path: '/v1/a/run' })).toBe(403);
      expect(await ask(app, { path: '/v2/b/run' })).toBe('hello');
      expect(await ask(app, { path: '/v2/b/run/default' })).toBe(404);
      expect(await ask(app, { path: '/v2/a/run' })).toBe(404);
    });

    it('should both see what is found and what forFeature names', async () => {
      const app = await start([
        AguiModule.forRoot({ pathPrefix: '/a' }),
        AguiModule.forRoot({ pathPrefix: '/b' }),
        AguiModule.forFeature({ agents: { named: sayer('named') } }),
        {
          module: class Agents {},
          providers: [{ provide: 'found', useValue: sayer('found') }],
        },
      ]);
      for (const prefix of ['/a', '/b'])
        for (const id of ['named', 'found'])
          expect(await ask(app, { path: `${prefix}/run/${id}` })).toBe(id);
    });
  });

  describe('of one declaration in two applications', () => {
    // The prefix is asked for when an application is made, not when it is declared.
    @Module({
      imports: [AguiModule.forRootAsync(aguiConfig.asProvider())],
      providers: [{ provide: 'default', useValue: agents.default }],
    })
    class Declared {}

    it('should be where each of them wants them, one after the other', async () => {
      vi.stubEnv('AGUI_PATH_PREFIX', '/first');
      const first = await start([Declared]);
      vi.stubEnv('AGUI_PATH_PREFIX', '/second');
      const second = await start([Declared]);
      expect(await ask(first, { path: '/first/run' })).toBe('hello');
      expect(await ask(first, { path: '/second/run' })).toBe(404);
      expect(await ask(second, { path: '/second/run' })).toBe('hello');
      expect(await ask(second, { path: '/first/run' })).toBe(404);
    });

    it('should be where each of them wants them if the second starts while the first is made', async () => {
      vi.stubEnv('AGUI_PATH_PREFIX', '/first');
      const first = await start([Declared], async () => {
        vi.stubEnv('AGUI_PATH_PREFIX', '/second');
        const second = await start([Declared]);
        expect(await ask(second, { path: '/second/run' })).toBe('hello');
      });
      expect(await ask(first, { path: '/first/run' })).toBe('hello');
    });

    it('should keep guards and agents working in both', async () => {
      let asked = 0;
      const imports = [
        root({
          guards: [
            {
              canActivate: () => {
                asked++;
                return true;
              },
            },
          ],
        }),
      ];
      const apps = [await start(imports), await start(imports)];
      for (const app of apps) expect(await ask(app)).toBe('hello');
      expect(asked).toBe(2);
    });
  });

  it('should be those of a class derived from the controller', async () => {
    class Mine extends AguiController {
      @Get('hello')
      hello() {
        return { hello: 'world' };
      }
    }
    const app = await start([root({ controller: Mine })]);
    expect(await ask(app)).toBe('hello');
    const response = await fetch(`${app.url}/agui/hello`);
    expect(await response.json()).toEqual({ hello: 'world' });
  });

  it('should keep the version and the host of a derived controller', async () => {
    @Controller({ version: '2', host: '127.0.0.1' })
    class Versioned extends AguiController {}
    @Controller({ host: 'elsewhere.example' })
    class Elsewhere extends AguiController {}
    const app = await start([root({ controller: Versioned })], (nest) =>
      nest.enableVersioning(),
    );
    expect(await ask(app, { path: '/v2/agui/run' })).toBe('hello');
    expect(await ask(app)).toBe(404);
    const other = await start([root({ controller: Elsewhere })]);
    expect(await ask(other)).toBe(404);
  });
});
