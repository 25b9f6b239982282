import {
  Injectable,
  Module,
  type INestApplicationContext,
  type ModuleMetadata,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ConfigModule, ConfigService } from '@nestjs/config';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  aguiConfig,
  AguiAgentRegistry,
  AguiConfigurationError,
  AguiModule,
  AguiProperties,
  AguiRequestProcessor,
} from 'nestjs-agui';
import { sayer } from './support/agents.js';
import { closeApps, PLATFORMS, startApp, type TestApp } from './support/app.js';
import { inputOf } from './support/client.js';
import { ask, type RootOptions } from './support/module-app.js';

beforeEach(() => {
  for (const name of Object.keys(process.env))
    if (/^(AGENTSCOPE_)?AGUI_/.test(name)) vi.stubEnv(name, undefined);
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await closeApps();
});

const agents = { default: sayer('hello') };

@Injectable()
class OptionsFactory {
  create(): RootOptions {
    return { pathPrefix: '/from-class', agents };
  }
}

@Module({ providers: [OptionsFactory], exports: [OptionsFactory] })
class OptionsModule {}

describe.each(PLATFORMS)('AguiModule on %s', (platform) => {
  function start(
    imports: NonNullable<ModuleMetadata['imports']>,
    providers: ModuleMetadata['providers'] = [],
  ): Promise<TestApp> {
    return startApp(platform, { imports, providers });
  }

  async function saysHello(app: TestApp, prefix: string): Promise<boolean> {
    const said = [
      await ask(app, { path: `${prefix}/run` }),
      await ask(app, { path: `${prefix}/run/default` }),
    ];
    return said.every((one) => one === 'hello');
  }

  it('should be registered without options', async () => {
    const app = await start(
      [AguiModule.forRoot()],
      [{ provide: 'default', useValue: agents.default }],
    );
    expect(await saysHello(app, '/agui')).toBe(true);
  });

  it('should be registered with options', async () => {
    const app = await start([
      AguiModule.forRoot({ pathPrefix: '/chat', agents }),
    ]);
    expect(await saysHello(app, '/chat')).toBe(true);
    expect(await ask(app)).toBe(404);
  });

  it('should take undefined options for none', async () => {
    const app = await start([
      AguiModule.forRoot({
        agents,
        pathPrefix: undefined,
        guards: undefined,
        decorators: undefined,
        controller: undefined,
        isGlobal: undefined,
        imports: undefined,
        converters: undefined,
        configFile: undefined,
      }),
      {
        module: class Elsewhere {},
        providers: [
          {
            provide: 'needs the registry',
            inject: [AguiAgentRegistry],
            useFactory: (registry: AguiAgentRegistry) => registry.ids(),
          },
        ],
      },
    ]);
    expect(await saysHello(app, '/agui')).toBe(true);
  });

  it.each(['agui', '/agui/', 'agui/', '/agui'])(
    'should take the prefix %s',
    async (pathPrefix) => {
      const app = await start([AguiModule.forRoot({ pathPrefix, agents })]);
      expect(await saysHello(app, '/agui')).toBe(true);
    },
  );

  it('should serve at the root', async () => {
    const app = await start([AguiModule.forRoot({ pathPrefix: '/', agents })]);
    expect(await saysHello(app, '')).toBe(true);
  });

  describe('forRootAsync', () => {
    it('should call useFactory with what is injected from imports', async () => {
      const app = await start([
        AguiModule.forRootAsync({
          imports: [
            ConfigModule.forRoot({
              ignoreEnvFile: true,
              load: [() => ({ chat: { prefix: '/configured' } })],
            }),
          ],
          inject: [ConfigService],
          useFactory: async (config: ConfigService) => {
            await new Promise((resolve) => setTimeout(resolve, 1));
            return {
              pathPrefix: config.getOrThrow<string>('chat.prefix'),
              agents,
            };
          },
        }),
      ]);
      expect(await saysHello(app, '/configured')).toBe(true);
    });

    it('should call useFactory with nothing', async () => {
      const app = await start([
        AguiModule.forRootAsync({ useFactory: () => ({ agents }) }),
      ]);
      expect(await saysHello(app, '/agui')).toBe(true);
    });

    it.each([undefined, null, 'text'])(
      'should stop the start if useFactory returns %o',
      async (nothing) => {
        await expect(
          start([
            AguiModule.forRootAsync({ useFactory: () => nothing as never }),
          ]),
        ).rejects.toThrow(
          /The options are .*; whatever gives them must return an object\./,
        );
      },
    );

    it('should ask a class for its options', async () => {
      const app = await start([
        AguiModule.forRootAsync({ useClass: OptionsFactory }),
      ]);
      expect(await saysHello(app, '/from-class')).toBe(true);
    });

    it('should ask an existing provider for its options', async () => {
      const app = await start([
        AguiModule.forRootAsync({
          imports: [OptionsModule],
          useExisting: OptionsFactory,
        }),
      ]);
      expect(await saysHello(app, '/from-class')).toBe(true);
    });

    it('should take aguiConfig as its provider', async () => {
      vi.stubEnv('AGUI_PATH_PREFIX', '/from-config');
      const app = await start(
        [AguiModule.forRootAsync(aguiConfig.asProvider())],
        [{ provide: 'default', useValue: agents.default }],
      );
      expect(await saysHello(app, '/from-config')).toBe(true);
    });

    it('should fail at once if nothing gives the options', () => {
      expect(() => AguiModule.forRootAsync({})).toThrow(AguiConfigurationError);
      expect(() => AguiModule.forRootAsync({})).toThrow(
        'AguiModule.forRootAsync() needs useFactory, useClass or useExisting.',
      );
    });

    it('should stop the start for an option that must stand beside the factory, and say so', async () => {
      await expect(
        start([
          AguiModule.forRootAsync({
            useFactory: () => ({ agents, decorators: [], isGlobal: true }),
          }),
        ]),
      ).rejects.toThrow(
        '"decorators" must be known when the module is declared: give it beside useFactory.',
      );
    });

    it('should fail the start with what the factory throws', async () => {
      await expect(
        start([
          AguiModule.forRootAsync({
            useFactory: () => Promise.reject(new Error('no database')),
          }),
        ]),
      ).rejects.toThrow('no database');
    });
  });

  describe('what it exports', () => {
    const injects = [AguiAgentRegistry, AguiProperties, AguiRequestProcessor];
    const Elsewhere = (imports: ModuleMetadata['imports'] = []) => ({
      module: class Elsewhere {},
      imports,
      providers: [
        {
          provide: 'consumer',
          inject: injects,
          useFactory: (...given: object[]) => given.length,
        },
      ],
    });

    it('should be injectable everywhere', async () => {
      const app = await start([AguiModule.forRoot({ agents }), Elsewhere()]);
      expect(app.app.get('consumer', { strict: false })).toBe(3);
    });

    it('should be injectable where it is imported only, with isGlobal: false', async () => {
      await expect(
        start([AguiModule.forRoot({ agents, isGlobal: false }), Elsewhere()]),
      ).rejects.toThrow(/can't resolve dependencies/);
      const root = AguiModule.forRoot({ agents, isGlobal: false });
      const app = await start([root, Elsewhere([root])]);
      expect(app.app.get('consumer', { strict: false })).toBe(3);
    });

    async function endsOfRun(app: INestApplicationContext) {
      const run = await app
        .get(AguiRequestProcessor)
        .process({ input: inputOf() as never });
      const types: string[] = [];
      for await (const { type } of run) types.push(type);
      return [types[0], types.at(-1)];
    }

    it('should run agents besides HTTP', async () => {
      const { app } = await start([AguiModule.forRoot({ agents })]);
      expect(await endsOfRun(app)).toEqual(['RUN_STARTED', 'RUN_FINISHED']);
    });

    it('should run agents in an application without HTTP', async () => {
      class Headless {}
      const app = await NestFactory.createApplicationContext(
        { module: Headless, imports: [AguiModule.forRoot({ agents })] },
        { logger: false, abortOnError: false },
      );
      expect(await endsOfRun(app)).toEqual(['RUN_STARTED', 'RUN_FINISHED']);
      await app.close();
    });
  });
});
