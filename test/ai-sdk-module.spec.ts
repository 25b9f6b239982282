import { Inject, Injectable, Scope, type ModuleMetadata } from '@nestjs/common';
import { REQUEST } from '@nestjs/core';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  AguiAgent,
  AguiAgentRegistry,
  AguiConfigurationError,
  AguiModule,
  type AguiAgentRegistryCustomizer,
  type Agent,
} from 'nestjs-agui';
import {
  agentTool,
  AguiTool,
  AiSdkAgent,
  AiSdkAgentModule,
} from 'nestjs-agui/ai-sdk';
import { z } from 'zod';
import { sayer } from './support/agents.js';
import { closeApps, PLATFORMS, startApp, type TestApp } from './support/app.js';
import { eventsOf, inputOf, post, run, typesOf } from './support/client.js';
import { clientOf, CLIENTS } from './support/http-agents.js';
import { calls, useMockModels } from './support/mock-models.js';
import { ask } from './support/module-app.js';

const models = useMockModels();

beforeEach(() => {
  vi.spyOn(process, 'cwd').mockReturnValue('/nowhere');
});
afterEach(async () => {
  vi.restoreAllMocks();
  await closeApps();
});

type Module = NonNullable<ModuleMetadata['imports']>[number];
type Options = Parameters<typeof AiSdkAgentModule.forRoot>[0];

describe.each(PLATFORMS)('AiSdkAgentModule on %s', (platform) => {
  const start = (
    imports: Module[],
    providers: ModuleMetadata['providers'] = [],
    rest: Parameters<typeof startApp>[2] = {},
  ) => startApp(platform, { imports, providers }, rest);

  const zeroCode = (options: Partial<Options> = {}) =>
    AiSdkAgentModule.forRoot({ model: models.model(), ...options } as Options);

  const at = (app: TestApp, path: string) => ask(app, { path });

  it('should serve an agent at /agent and as the default agent', async () => {
    models.script('One.', 'Two.', 'Three.');
    const app = await start([zeroCode()]);
    expect(await at(app, '/agent')).toBe('One.');
    expect(await at(app, '/agui/run')).toBe('Two.');
    expect(await at(app, '/agui/run/default')).toBe('Three.');
  });

  it('should serve it with options from a factory', async () => {
    models.script('One.', 'Two.');
    const app = await start([
      AiSdkAgentModule.forRootAsync({
        useFactory: () =>
          Promise.resolve({ model: models.model(), system: 'Be brief.' }),
      }),
    ]);
    expect(await at(app, '/agent')).toBe('One.');
    expect(models.lastTalk()[0]).toEqual({
      role: 'system',
      content: 'Be brief.',
    });
    expect(await at(app, '/agui/run')).toBe('Two.');
  });

  it('should serve it with options from a class', async () => {
    @Injectable()
    class AgentOptions {
      create = () => ({ model: models.model() });
    }
    models.script('One.');
    const app = await start([
      AiSdkAgentModule.forRootAsync({ useClass: AgentOptions }),
    ]);
    expect(await at(app, '/agent')).toBe('One.');
  });

  it.each(CLIENTS)('should be all that %s needs', async (_name, Client) => {
    models.script('Hello.');
    const client = clientOf(Client, await start([zeroCode()]), 'Hi', '/agent');
    await client.runAgent();
    expect(client.messages.at(-1)).toMatchObject({ content: 'Hello.' });
  });

  it('should serve it at another path', async () => {
    models.script('One.', 'Two.');
    const app = await start([zeroCode({ path: '/api/assistant' })]);
    expect(await at(app, '/api/assistant')).toBe('One.');
    expect(await at(app, '/agent')).toBe(404);
    expect(await at(app, '/agui/run')).toBe('Two.');
  });

  it('should serve it at another path beside a factory', async () => {
    models.script('One.');
    const app = await start([
      AiSdkAgentModule.forRootAsync({
        useFactory: () => ({ model: models.model() }),
        path: 'assistant',
        agui: { pathPrefix: '/protocol' },
      }),
    ]);
    expect(await at(app, '/assistant')).toBe('One.');
    expect(await at(app, '/agui/run')).toBe(404);
  });

  it('should serve it below a global prefix', async () => {
    models.script('One.');
    const app = await start([zeroCode()], [], {
      configure: (nest) => nest.setGlobalPrefix('api'),
    });
    expect(await at(app, '/api/agent')).toBe('One.');
  });

  it('should give AguiModule its options', async () => {
    models.script('<think>Hm.</think>One.', 'Two.');
    const app = await start([
      zeroCode({
        agui: {
          pathPrefix: '/ai',
          enableReasoning: true,
          defaultAgentId: 'main',
        },
      }),
    ]);
    expect(typesOf(await run(app, inputOf(), { path: '/agent' }))).toContain(
      'REASONING_MESSAGE_CONTENT',
    );
    expect(await at(app, '/ai/run/main')).toBe('Two.');
  });

  it("should take the application's own AguiModule", async () => {
    models.script('One.', 'Two.');
    const app = await start([
      zeroCode({ agui: false }),
      AguiModule.forRootAsync({ useFactory: () => ({ pathPrefix: '/ai' }) }),
    ]);
    expect(await at(app, '/agent')).toBe('One.');
    expect(await at(app, '/ai/run')).toBe('Two.');
  });

  it('should answer bad input as AguiModule does', async () => {
    const app = await start([zeroCode()]);
    const response = await post(app, '{}', { path: '/agent' });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      errors: expect.arrayContaining([
        expect.objectContaining({ path: 'threadId' }),
      ]) as unknown,
    });
    const text = await post(app, 'hello', {
      path: '/agent',
      headers: { 'content-type': 'text/plain' },
    });
    expect(text.status).toBe(415);
  });

  describe('if the application registers an agent itself', () => {
    @Injectable()
    @AguiAgent('own')
    class OwnAgent {
      streamEvents: Agent['streamEvents'] = (...given) =>
        sayer('I am my own.').streamEvents(...given);
    }

    class Customizer implements AguiAgentRegistryCustomizer {
      customize(registry: AguiAgentRegistry): void {
        registry.register('own', sayer('I am my own.'));
      }
    }

    const agents = { own: sayer('I am my own.') };

    const FORMS: [string, () => [Module[], ModuleMetadata['providers']?]][] = [
      ['a decorated provider', () => [[zeroCode()], [OwnAgent]]],
      [
        'a decorated provider of another module',
        () => {
          class Feature {}
          return [[zeroCode(), { module: Feature, providers: [OwnAgent] }]];
        },
      ],
      ['the options', () => [[zeroCode({ agui: { agents } })]]],
      ['forFeature', () => [[zeroCode(), AguiModule.forFeature({ agents })]]],
      [
        'forFeature, which comes first',
        () => [[AguiModule.forFeature({ agents }), zeroCode()]],
      ],
      [
        'a customizer',
        () => [[zeroCode({ agui: { registryCustomizers: [Customizer] } })]],
      ],
      [
        'its own AguiModule',
        () => [[zeroCode({ agui: false }), AguiModule.forRoot({ agents })]],
      ],
      [
        'its own AguiModule, in a module of its own',
        () => {
          class Deep {}
          return [
            [
              { module: Deep, imports: [zeroCode({ agui: false })] },
              AguiModule.forRoot({ agents }),
            ],
          ];
        },
      ],
      [
        'an AguiModule that is not global',
        () => [[zeroCode({ agui: { isGlobal: false, agents } })]],
      ],
    ];

    it.each(FORMS)(
      'by %s, should serve none of its own',
      async (_form, make) => {
        const [imports, providers] = make();
        const app = await start(imports, providers);
        expect(await at(app, '/agui/run/own')).toBe('I am my own.');
        expect(await at(app, '/agui/run')).toBe(404);
        expect(await at(app, '/agent')).toBe(404);
        expect(models.requests()).toHaveLength(0);
        expect(app.log.join('\n')).toContain(
          'The application has agents of its own (own)',
        );
      },
    );

    it('as the default agent, should leave it alone', async () => {
      const app = await start([
        zeroCode({ agui: { agents: { default: sayer('I am my own.') } } }),
      ]);
      expect(await at(app, '/agui/run')).toBe('I am my own.');
      expect(await at(app, '/agent')).toBe(404);
    });
  });

  describe('and the tools of providers', () => {
    @Injectable()
    class Clock {
      readonly now = '12:00';
    }

    @Injectable()
    class ClockTools {
      constructor(private readonly clock: Clock) {}

      @AguiTool({ description: 'Tells the time' })
      get_time(): string {
        return this.clock.now;
      }
    }

    const offered = () =>
      models
        .requests()[0]!
        .tools?.map((one) => one.function.name)
        .sort();

    it('should find them in any module, and call them there', async () => {
      class Feature {}
      models.script(calls('get_time', {}, 'c1'), 'Noon.');
      const app = await start([
        zeroCode(),
        { module: Feature, providers: [Clock, ClockTools] },
      ]);
      const events = await run(app, inputOf(), { path: '/agent' });
      expect(
        events.find(({ type }) => type === 'TOOL_CALL_RESULT'),
      ).toMatchObject({ content: '12:00' });
    });

    it.each([
      ['useClass', { provide: 'tools', useClass: ClockTools }],
      [
        'useFactory',
        {
          provide: 'tools',
          inject: [Clock],
          useFactory: (clock: Clock) => new ClockTools(clock),
        },
      ],
      ['useValue', { provide: 'tools', useValue: new ClockTools(new Clock()) }],
    ])('should find them by %s', async (_form, provider) => {
      models.script('Hello.');
      const app = await start([zeroCode()], [Clock, provider]);
      await at(app, '/agent');
      expect(offered()).toEqual(['get_time']);
    });

    it('should find a provider once, whatever it is called', async () => {
      models.script('Hello.');
      const app = await start(
        [zeroCode()],
        [
          Clock,
          ClockTools,
          { provide: 'alias', useExisting: ClockTools },
          {
            provide: 'same',
            inject: [ClockTools],
            useFactory: (one: ClockTools) => one,
          },
        ],
      );
      await at(app, '/agent');
      expect(offered()).toEqual(['get_time']);
    });

    it('should add them to those of the options, which come first', async () => {
      models.script(calls('get_time', {}, 'c1'), 'Noon.');
      const get_time = agentTool({
        description: 'Tells another time',
        inputSchema: z.object({}),
        execute: () => '13:00',
      });
      const look = { ...get_time };
      const app = await start(
        [zeroCode({ tools: { get_time, look } })],
        [Clock, ClockTools],
      );
      const events = await run(app, inputOf(), { path: '/agent' });
      expect(offered()).toEqual(['get_time', 'look']);
      expect(
        events.find(({ type }) => type === 'TOOL_CALL_RESULT'),
      ).toMatchObject({ content: '13:00' });
    });

    it('should not start with two of one name', async () => {
      class OtherTools {
        @AguiTool({ description: 'Tells the time' })
        get_time(): string {
          return '';
        }
      }
      await expect(
        start([zeroCode()], [Clock, ClockTools, OtherTools]),
      ).rejects.toThrow('Two tools are named "get_time"');
    });

    it.each([
      ['request-scoped', Scope.REQUEST],
      ['transient', Scope.TRANSIENT],
    ])(
      'should leave out those of %s ones, and say so',
      async (_what, scope) => {
        @Injectable({ scope })
        class ScopedTools {
          readonly ready = true;

          @AguiTool({ description: 'Needs an instance' })
          need_instance(): boolean {
            return this.ready;
          }
        }
        models.script('Hello.');
        const app = await start([zeroCode()], [ScopedTools]);
        await at(app, '/agent');
        expect(offered()).toBeUndefined();
        expect(app.log.join('\n')).toContain(
          'warn: The tools of ScopedTools are left out, because it is not a singleton',
        );
      },
    );

    it('should leave out those of providers that depend on the request', async () => {
      @Injectable()
      class RequestTools {
        constructor(@Inject(REQUEST) readonly request: unknown) {}

        @AguiTool({ description: 'Reads the request' })
        read_request(): unknown {
          return this.request;
        }
      }
      models.script('Hello.');
      const app = await start([zeroCode()], [RequestTools]);
      await at(app, '/agent');
      expect(offered()).toBeUndefined();
      expect(app.log.join('\n')).toContain('The tools of RequestTools');
    });
  });

  it.each([
    ['options without a model', () => AiSdkAgentModule.forRoot({} as never)],
    [
      'a factory of options without a model',
      () => AiSdkAgentModule.forRootAsync({ useFactory: () => ({}) as never }),
    ],
    [
      'a factory that returns nothing',
      () =>
        AiSdkAgentModule.forRootAsync({ useFactory: () => undefined as never }),
    ],
  ])('should not start with %s', async (_what, make) => {
    await expect(start([make()])).rejects.toThrow(AguiConfigurationError);
  });

  describe('at the edge', () => {
    const preflight = (app: TestApp, path: string) =>
      fetch(app.url + path, {
        method: 'OPTIONS',
        headers: {
          origin: 'https://app.example.com',
          'access-control-request-method': 'POST',
        },
      });

    it('should answer browsers of other origins as AguiModule does', async () => {
      models.script('Hello.');
      const app = await start([
        zeroCode({ agui: { corsAllowedOrigins: ['https://app.example.com'] } }),
      ]);
      for (const path of ['/agent', '/agent/', '/agui/run']) {
        const { status, headers } = await preflight(app, path);
        expect([status, headers.get('access-control-allow-origin')]).toEqual([
          204,
          'https://app.example.com',
        ]);
      }
      const response = await post(app, inputOf(), {
        path: '/agent',
        headers: { origin: 'https://app.example.com' },
      });
      expect(response.headers.get('access-control-allow-origin')).toBe(
        'https://app.example.com',
      );
      expect((await eventsOf(response)).at(-1)).toMatchObject({
        type: 'RUN_FINISHED',
      });
    });

    it('should leave that alone if it is off, or not ours', async () => {
      const app = await start([zeroCode({ agui: { corsEnabled: false } })]);
      const { headers } = await preflight(app, '/agent');
      expect(headers.get('access-control-allow-origin')).toBeNull();
      const other = await start([zeroCode()]);
      const elsewhere = await preflight(other, '/agents-of-others');
      expect(elsewhere.headers.get('access-control-allow-origin')).toBeNull();
    });

    it('should read as much as AguiModule reads, and no more', async () => {
      models.script('Hello.');
      const app = await start([zeroCode({ agui: { bodyLimit: '2mb' } })]);
      const input = (size: number) =>
        inputOf({
          messages: [{ id: 'u1', role: 'user', content: 'x'.repeat(size) }],
        });
      const ok = await post(app, input(1_500_000), { path: '/agent' });
      expect(ok.status).toBe(200);
      await ok.text();
      const tooMuch = await post(app, input(2_500_000), { path: '/agent' });
      expect(tooMuch.status).toBe(413);
    });
  });

  it('should be usable beside agents made by hand', async () => {
    models.script('From the model.');
    const app = await start(
      [AguiModule.forRoot()],
      [
        {
          provide: 'agent',
          useFactory: () => new AiSdkAgent({ model: models.model() }),
        },
      ],
    );
    expect(await at(app, '/agui/run/agent')).toBe('From the model.');
  });
});
