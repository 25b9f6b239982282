import {
  ForbiddenException,
  Injectable,
  Module,
  Scope,
  type ModuleMetadata,
  type OnModuleInit,
} from '@nestjs/common';
import { afterEach, describe, expect, it } from 'vitest';
import {
  AguiAgent,
  AguiAgentRegistry,
  AguiModule,
  DuplicateAgentError,
  type Agent,
} from 'nestjs-agui';
import { sayer } from './support/agents.js';
import { closeApps, PLATFORMS, startApp } from './support/app.js';
import { post } from './support/client.js';
import { ask, getJson, type RootOptions } from './support/module-app.js';
import { Teller } from './support/routed-agents.js';

afterEach(closeApps);

describe.each(PLATFORMS)('Agents on %s', (platform) => {
  function start(
    providers: ModuleMetadata['providers'],
    options: RootOptions = {},
    imports: NonNullable<ModuleMetadata['imports']> = [],
  ) {
    return startApp(platform, {
      imports: [
        AguiModule.forRoot({ listAgents: true, ...options }),
        ...imports,
      ],
      providers,
    });
  }

  async function idsOf(app: { url: string }): Promise<string[]> {
    const { body } = await getJson(app, '/agui/agents');
    return (body as { id: string }[]).map(({ id }) => id);
  }

  const to = (id: string) => ({ path: `/agui/run/${id}` });

  describe('that are named', () => {
    it('should be instances, classes, factories, or these with options', async () => {
      @Injectable()
      class Provided extends Teller {
        tell() {
          return 'provided';
        }
      }
      @Injectable()
      class Dependent extends Teller {
        constructor(private readonly registry: AguiAgentRegistry) {
          super();
        }

        tell() {
          return this.registry.ids().join();
        }
      }
      class Fields implements Agent {
        streamEvents = (...args: Parameters<Agent['streamEvents']>) =>
          sayer('fields').streamEvents(...args);
      }
      const app = await start([Provided], {
        agents: {
          instance: sayer('instance'),
          provided: Provided,
          dependent: Dependent,
          fields: Fields,
          factory: () => sayer('factory'),
          hidden: { agent: sayer('hidden'), exposed: false },
          hiddenFactory: { agent: () => sayer('hidden'), exposed: false },
        },
      });
      const ids = ['instance', 'provided', 'dependent', 'fields', 'factory'];
      expect(await idsOf(app)).toEqual(ids);
      expect(await ask(app, to('instance'))).toBe('instance');
      expect(await ask(app, to('provided'))).toBe('provided');
      expect(await ask(app, to('dependent'))).toContain('instance,provided');
      expect(await ask(app, to('fields'))).toBe('fields');
      expect(await ask(app, to('factory'))).toBe('factory');
      expect(await ask(app, to('hidden'))).toBe('hidden');
      expect(await ask(app, to('hiddenFactory'))).toBe('hidden');
    });

    it('should see the imports of their forFeature', async () => {
      @Injectable()
      class Phrases {
        readonly hello = 'hello from an import';
      }
      @Module({ providers: [Phrases], exports: [Phrases] })
      class PhrasesModule {}
      @Injectable()
      class Greeter extends Teller {
        constructor(private readonly phrases: Phrases) {
          super();
        }

        tell() {
          return this.phrases.hello;
        }
      }
      const app = await start([], {}, [
        AguiModule.forFeature({
          imports: [PhrasesModule],
          agents: { greeter: Greeter },
        }),
      ]);
      expect(await ask(app, to('greeter'))).toBe('hello from an import');
    });

    it.each([
      ['one for all', Scope.DEFAULT],
      ['transient', Scope.TRANSIENT],
      ['request-scoped', Scope.REQUEST],
    ])(
      'should not be served under the name of their provider, too: %s',
      async (_name, scope) => {
        @Injectable({ scope })
        class Secret extends Teller {
          tell() {
            return 'secret';
          }
        }
        const app = await start([Secret], {
          agents: { renamed: { agent: Secret, exposed: false } },
        });
        expect(await idsOf(app)).toEqual([]);
        expect(await ask(app, to('renamed'))).toBe('secret');
        expect(await ask(app, to('Secret'))).toBe(404);
      },
    );

    it('should win over found ones of their id', async () => {
      @AguiAgent('weather')
      class Found extends Teller {
        tell() {
          return 'found';
        }
      }
      const ways: [
        RootOptions,
        ModuleMetadata['providers'],
        ModuleMetadata['imports'],
      ][] = [
        [{ agents: { weather: sayer('named') } }, [], []],
        [
          {},
          [],
          [AguiModule.forFeature({ agents: { weather: sayer('named') } })],
        ],
        [
          {
            registryCustomizers: [
              {
                customize: (registry) =>
                  void registry.register('weather', sayer('named')),
              },
            ],
          },
          [],
          [],
        ],
      ];
      for (const [options, providers, imports] of ways) {
        const app = await start([Found, ...providers!], options, imports);
        expect(await ask(app, to('weather'))).toBe('named');
        expect(await idsOf(app)).toEqual(['weather']);
      }
    });

    it('should be registered by whoever has the registry injected', async () => {
      @Injectable()
      class Registrar implements OnModuleInit {
        constructor(private readonly registry: AguiAgentRegistry) {}

        onModuleInit() {
          this.registry.register('weather', sayer('by hand'));
          this.registry.registerFactory('echo', (_context, { messages }) =>
            sayer(messages[0]!.content as string),
          );
        }
      }
      @AguiAgent('weather')
      class Found extends Teller {
        tell() {
          return 'found';
        }
      }
      const app = await start([Found, Registrar]);
      expect(await ask(app, to('weather'))).toBe('by hand');
      expect(await ask(app, to('echo'))).toBe('Hi');
    });

    it('should be taken away by customizers, which see the found ones', async () => {
      let seen: string[] = [];
      const app = await start([{ provide: 'internal', useValue: sayer('x') }], {
        registryCustomizers: [
          {
            customize: (registry) => {
              seen = registry.ids();
              registry.unregister('internal');
            },
          },
        ],
      });
      expect(seen).toEqual(['internal']);
      expect(await ask(app, to('internal'))).toBe(404);
    });
  });

  describe('with one id', () => {
    class Weather extends Teller {
      tell() {
        return 'weather';
      }
    }

    async function refusal(...given: Parameters<typeof start>) {
      return start(...given).then(
        () => expect.fail('It started.'),
        (error: Error) => error,
      );
    }

    it('should stop the start when both are found', async () => {
      @AguiAgent('weather')
      class First extends Weather {}
      @AguiAgent('weather')
      class Second extends Weather {}
      const error = await refusal([First, Second]);
      expect(error).toBeInstanceOf(DuplicateAgentError);
      expect(error.message).toBe(
        'Two agents have the id "weather" (provider First, provider Second). Give one of them another id, or unregister one first.',
      );
    });

    it('should stop the start when one class is provided by two modules', async () => {
      @AguiAgent('weather')
      class Shared extends Weather {}
      const error = await refusal([Shared], {}, [
        { module: class Other {}, providers: [Shared] },
      ]);
      expect(error).toBeInstanceOf(DuplicateAgentError);
      expect(error.message).toContain(
        '"weather" (provider Shared, provider Shared)',
      );
    });

    it('should stop the start when both are named', async () => {
      const error = await refusal([], { agents: { weather: sayer('one') } }, [
        AguiModule.forFeature({ agents: { weather: sayer('two') } }),
      ]);
      expect(error).toBeInstanceOf(DuplicateAgentError);
    });
  });

  describe('from factories', () => {
    it('should be made for each run, of its context and input', async () => {
      const app = await start([], {
        contextResolvers: [{ resolve: () => ({ userId: 'ann' }) }],
        agents: {
          made: async (context, input) => {
            await new Promise((resolve) => setTimeout(resolve, 1));
            return sayer(
              [context.userId, context.sessionId, input.runId].join(),
            );
          },
        },
      });
      const said = await Promise.all(
        ['1', '2', '3'].map((runId) =>
          ask(app, { ...to('made'), input: { threadId: `t${runId}`, runId } }),
        ),
      );
      expect(said).toEqual(['ann,t1,1', 'ann,t2,2', 'ann,t3,3']);
    });

    it.each([
      [
        'an HttpException',
        () => {
          throw new ForbiddenException('Not yours.');
        },
        403,
      ],
      ['an error', async () => Promise.reject(new Error('secret detail')), 500],
      ['no agent', () => ({}) as never, 500],
      ['nothing', () => undefined as never, 500],
    ])(
      'should refuse the run before its stream when they give %s',
      async (_what, factory, status) => {
        const app = await start([], { agents: { default: factory } });
        const response = await post(app);
        expect(response.status).toBe(status);
        expect(response.headers.get('content-type')).toContain(
          'application/json',
        );
        expect(await response.text()).not.toContain('secret');
      },
    );
  });
});
