import { Injectable, Scope, type Provider } from '@nestjs/common';
import { afterEach, describe, expect, it } from 'vitest';
import {
  AgentEventConverter,
  AgentEventType,
  AguiAgent,
  AguiConfigurationError,
  AguiEventEnricher,
  AguiModule,
  InvalidExtensionError,
  provideExtension,
} from 'nestjs-agui';
import {
  closeApps,
  PLATFORMS,
  startApp,
  type Platform,
} from './support/app.js';
import { run } from './support/client.js';
import { startWith } from './support/extension-app.js';
import type { Given } from './support/extension-forms.js';
import { KINDS, witness, type Kind } from './support/extension-kinds.js';

afterEach(closeApps);

const METHODS: Record<string, string> = {
  agent: 'neither streamEvents() nor run()',
  converter: 'no method convert()',
  enricher: 'no method enrich()',
  'context resolver': 'no method resolve()',
  'adapter factory': 'no method create()',
  'run observer': 'no method begin()',
  'registry customizer': 'no method customize()',
};

/** A class that is declared to be of a kind, and is not. */
function impostorOf(kind: Kind, ...decorators: ClassDecorator[]) {
  class Impostor {}
  Injectable()(Impostor);
  for (const decorate of [kind.decorator('x'), ...decorators])
    decorate(Impostor);
  return Impostor;
}

const FORMS: Record<string, (kind: Kind) => Provider> = {
  'a class': (kind) => impostorOf(kind),
  'useClass under another token': (kind) => ({
    provide: 'token',
    useClass: impostorOf(kind),
  }),
  'an async useFactory': (kind) => ({
    provide: 'token',
    useFactory: () => Promise.resolve(new (impostorOf(kind))()),
  }),
  useValue: (kind) => ({
    provide: 'token',
    useValue: new (impostorOf(kind))(),
  }),
  'a request-scoped class': (kind) =>
    impostorOf(kind, Injectable({ scope: Scope.REQUEST })),
  'a transient class': (kind) =>
    impostorOf(kind, Injectable({ scope: Scope.TRANSIENT })),
  'provideExtension with useClass': (kind) => {
    class Impostor {}
    return provideExtension(kind.decorator('x'), { useClass: Impostor });
  },
};

async function refusalOf(platform: Platform, given: Given): Promise<Error> {
  return startWith(platform, given).then(
    () => expect.fail('It started.'),
    (error: Error) => error,
  );
}

describe.each(PLATFORMS)('Starting on %s', (platform) => {
  describe.each(KINDS.map((kind) => [kind.name, kind] as const))(
    'with a bad %s',
    (name, kind) => {
      it.each(Object.entries(FORMS))(
        'should fail for %s, naming the class and the remedy',
        async (_form, provider) => {
          const error = await refusalOf(platform, {
            providers: [provider(kind)],
          });
          expect(error).toBeInstanceOf(InvalidExtensionError);
          expect(error.message).toMatch(
            /^The provider Impostor is declared as/,
          );
          expect(error.message).toContain(METHODS[name]);
          expect(error.message).toMatch(/Add .*, or remove the declaration\.$/);
        },
      );

      it.each([undefined, null])(
        'should fail for a factory that makes %s',
        async (nothing) => {
          const error = await refusalOf(platform, {
            providers: [
              provideExtension(kind.decorator('x'), {
                useFactory: function makeNothing() {
                  return nothing;
                },
              }),
            ],
          });
          expect(error).toBeInstanceOf(InvalidExtensionError);
          expect(error.message).toContain('makeNothing');
          expect(error.message).toContain(METHODS[name]);
        },
      );
    },
  );

  it.each(
    KINDS.map((kind) => [kind.name, kind] as const).filter(
      ([name]) => name !== 'agent',
    ),
  )('should fail for options that name a bad %s', async (name, kind) => {
    class Impostor {}
    const error = await refusalOf(platform, {
      imports: [AguiModule.forFeature(kind.named('x', Impostor as never))],
    });
    expect(error).toBeInstanceOf(InvalidExtensionError);
    expect(error.message).toContain('Impostor');
    expect(error.message).toContain(METHODS[name]);
  });

  it.each([
    ['converters', [() => 1], 'converters[0] is a function. Give a class'],
    ['enrichers', [{}, null], 'enrichers[0] is declared as enricher'],
    ['enrichers', [null], 'enrichers[0] is declared as enricher'],
    ['runObservers', [5], 'runObservers[0] is declared as run-observer'],
    ['contextResolvers', [async () => ({})], 'contextResolvers[0] is a funct'],
    ['adapterFactory', () => 1, 'adapterFactory is a function. Give a class'],
  ])('should name %s of options, of %o', async (option, given, told) => {
    for (const imports of [
      [AguiModule.forRoot({ [option]: given })],
      [AguiModule.forRoot(), AguiModule.forFeature({ [option]: given })],
    ]) {
      const starting = startApp(platform, { imports });
      await expect(starting).rejects.toThrow(InvalidExtensionError);
      await expect(starting).rejects.toThrow(`The provider ${told}`);
    }
  });

  it.each([
    ['agents', null, 'an object of agents by their ids'],
    ['agents', [witness], 'an object of agents by their ids'],
    ['agents', new Map(), 'an object of agents by their ids'],
    ['agents', 'x', 'an object of agents by their ids'],
    ['converters', 'x', 'a list of classes or instances'],
    ['enrichers', {}, 'a list of classes or instances'],
    ['contextResolvers', null, 'a list of classes or instances'],
    ['adapterFactory', 5, 'a class or an instance'],
  ])('should refuse %s: %o', async (option, given, allowed) => {
    const told = new RegExp(`"${option}" is .*; allowed: ${allowed}\\.`, 's');
    const starting = startApp(platform, {
      imports: [AguiModule.forRoot({ [option]: given })],
    });
    await expect(starting).rejects.toThrow(AguiConfigurationError);
    await expect(starting).rejects.toThrow(told);
    expect(() => AguiModule.forFeature({ [option]: given })).toThrow(told);
  });

  it.each([
    ['guards', null, 'a list of guards'],
    ['guards', 'x', 'a list of guards'],
    ['threadStore', {}, 'a ThreadStore, such as RedisThreadStore'],
    ['threadStore', 'redis', 'a ThreadStore, such as RedisThreadStore'],
    ['decorators', 'x', 'a list of class decorators'],
    ['decorators', [5], 'a list of class decorators'],
    ['controller', 'x', 'a class derived from AguiController'],
  ])('should refuse %s: %o, too', async (option, given, allowed) => {
    const starting = async () =>
      startApp(platform, {
        imports: [AguiModule.forRoot({ [option]: given } as object)],
      });
    await expect(starting()).rejects.toThrow(AguiConfigurationError);
    await expect(starting()).rejects.toThrow(`; allowed: ${allowed}.`);
  });

  it('should name a plain value that is no extension by how it was given', async () => {
    const error = await refusalOf(platform, {
      providers: [
        provideExtension(AguiEventEnricher(), { useValue: {} as never }),
      ],
    });
    expect(error.message).toContain('The provider provideExtension(useValue)');
  });

  describe('with a converter', () => {
    class Silent {
      convert() {}
    }

    it('should fail for a type that there is not, and say which there are', async () => {
      @AgentEventConverter('TEXT' as never)
      class Wrong extends Silent {}
      const error = await refusalOf(platform, { providers: [Wrong] });
      expect(error).toBeInstanceOf(InvalidExtensionError);
      expect(error.message).toBe(
        `The provider Wrong converts "TEXT", which is no type of agent event. The types are ${Object.keys(AgentEventType).join(', ')}.`,
      );
    });

    it('should fail for a type of its own that there is not', async () => {
      @AgentEventConverter()
      class Wrong extends Silent {
        eventTypes() {
          return ['toString'];
        }
      }
      const error = await refusalOf(platform, { providers: [Wrong] });
      expect(error).toBeInstanceOf(InvalidExtensionError);
      expect(error.message).toContain('Wrong converts "toString"');
    });

    it.each([
      ['a class', { providers: [AgentEventConverter()] }],
      [
        'a request-scoped class',
        {
          providers: [
            AgentEventConverter(),
            Injectable({ scope: Scope.REQUEST }),
          ],
        },
      ],
    ])('should fail for %s without types', async (_form, { providers }) => {
      class Typeless extends Silent {}
      for (const decorate of providers) decorate(Typeless);
      const error = await refusalOf(platform, { providers: [Typeless] });
      expect(error).toBeInstanceOf(InvalidExtensionError);
      expect(error.message).toContain(
        'Typeless converts no type of agent event. Name the types in @AgentEventConverter(…), or give it eventTypes().',
      );
    });

    it('should fail for an instance without types', async () => {
      const error = await refusalOf(platform, {
        options: { converters: [new Silent()] },
      });
      expect(error.message).toContain('Silent converts no type');
    });

    it.each([
      () => {
        throw new Error('not yet');
      },
      () => 5,
    ])('should fail for one that cannot tell its types: %o', async (types) => {
      class Reluctant extends Silent {
        eventTypes = types as never;
      }
      const error = await refusalOf(platform, {
        options: { converters: [new Reluctant()] },
      });
      expect(error).toBeInstanceOf(InvalidExtensionError);
      expect(error.message).toContain(
        'Reluctant cannot tell what it converts: eventTypes() must return a list of types of agent events.',
      );
    });

    it('should take the types of the decorator of a class that options name', async () => {
      @AgentEventConverter(AgentEventType.CUSTOM)
      class Named extends Silent {}
      const app = await startWith(platform, {
        options: { converters: [Named] },
      });
      const types = (await run(app)).map(({ type }) => type);
      expect(types).toContain('RUN_FINISHED');
      expect(types).not.toContain('CUSTOM');
    });

    it('should take the types of the decorator of an instance that options name', async () => {
      @AgentEventConverter(AgentEventType.CUSTOM)
      class Named extends Silent {}
      const app = await startWith(platform, {
        imports: [AguiModule.forFeature({ converters: [new Named()] })],
      });
      const types = (await run(app)).map(({ type }) => type);
      expect(types).toContain('RUN_FINISHED');
      expect(types).not.toContain('CUSTOM');
    });
  });

  it.each([null, 5, 'text', {}])(
    'should fail for %o as an agent, naming its id',
    async (agent) => {
      const error = await refusalOf(platform, {
        options: { agents: { weather: agent as never } },
      });
      expect(error).toBeInstanceOf(InvalidExtensionError);
      expect(error.message).toContain('agents.weather is neither an agent');
    },
  );

  it('should fail for a class of agents that is none', async () => {
    class Impostor {}
    const error = await refusalOf(platform, {
      options: { agents: { weather: Impostor as never } },
    });
    expect(error.message).toContain('"weather"');
    expect(error.message).toContain('neither streamEvents() nor run()');
  });

  it('should fail for an agent without an id', async () => {
    @AguiAgent(' ')
    class Nameless {
      streamEvents() {}
    }
    const error = await refusalOf(platform, { providers: [Nameless] });
    expect(error.message).toContain('An agent needs an id');
  });

  it('should survive providers that may not be looked into', async () => {
    const refuse = (_target: object, key: string | symbol) => {
      if (['streamEvents', 'run'].includes(String(key)))
        throw new Error('Not outside a request.');
      return undefined;
    };
    const shy = new Proxy(
      {},
      { get: refuse, has: (target, key) => refuse(target, key) ?? false },
    );
    class Throwing {
      get run(): unknown {
        throw new Error('not ready');
      }
    }
    const app = await startWith(platform, {
      providers: [
        { provide: 'shy', useFactory: () => shy },
        { provide: 'null prototype', useValue: Object.create(null) as object },
        { provide: 'odd', useValue: { constructor: 'odd' } },
        { provide: 'nothing', useValue: undefined },
        { provide: 'text', useValue: 'text' },
        Throwing,
      ],
    });
    expect((await run(app)).at(-1)!.type).toBe('RUN_FINISHED');
  });
});
