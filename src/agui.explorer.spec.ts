import { Injectable, Module, Scope, type Provider } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { describe, expect, it } from 'vitest';
import { AguiExplorer } from './agui.explorer.js';
import { AguiFeature } from './agui-features.js';
import { markExtension } from './extension.decorator.js';
import { Order } from './order.decorator.js';

async function explore(providers: Provider[], ...imports: unknown[]) {
  const testing = await Test.createTestingModule({
    imports: [DiscoveryModule, ...(imports as never[])],
    providers: [AguiExplorer, ...providers],
  }).compile();
  return testing.get(AguiExplorer).explore();
}

@Order(3)
@markExtension('enricher', 'options')
class Enricher {}

describe('AguiExplorer', () => {
  it('should find nothing in an application without extensions', async () => {
    expect(await explore([{ provide: 'x', useValue: {} }])).toEqual({
      extensions: [],
      undecoratedAgents: [],
      features: [],
    });
  });

  it('should tell kind, options, name, order and instance', async () => {
    const { extensions } = await explore([Enricher]);
    expect(extensions).toEqual([
      {
        mark: { kind: 'enricher', options: 'options' },
        ref: {
          name: 'Enricher',
          order: 3,
          type: Enricher,
          instance: expect.any(Enricher) as unknown,
          resolve: expect.any(Function) as unknown,
        },
      },
    ]);
  });

  it('should give no instance of what is not one for all', async () => {
    @Injectable({ scope: Scope.REQUEST })
    class PerRequest extends Enricher {}
    @Injectable({ scope: Scope.TRANSIENT })
    class PerUse extends Enricher {}
    const { extensions } = await explore([PerRequest, PerUse]);
    for (const { ref } of extensions)
      expect(ref).not.toHaveProperty('instance');
    expect(extensions.map(({ ref }) => ref.type)).toEqual([PerRequest, PerUse]);
  });

  it('should find every kind that one class is of, each once', async () => {
    @markExtension('context-resolver')
    class Both extends Enricher {}
    @markExtension('enricher', 'own')
    class Again extends Both {}
    const { extensions } = await explore([Again]);
    expect(extensions.map(({ mark }) => [mark.kind, mark.options])).toEqual([
      ['enricher', 'own'],
      ['context-resolver', undefined],
    ]);
  });

  it('should prefer what stands on the token to what stands on the class', async () => {
    @Order(9)
    @markExtension('enricher', 'token')
    class Token {}
    const { extensions } = await explore([
      { provide: Token, useClass: Enricher },
    ]);
    expect(extensions).toHaveLength(1);
    expect(extensions[0]).toMatchObject({
      mark: { options: 'token' },
      ref: { order: 9, type: Enricher, name: 'Enricher' },
    });
  });

  it('should pass over aliases, unless they are extensions themselves', async () => {
    class Plain {}
    const { extensions } = await explore([
      Enricher,
      { provide: 'alias', useExisting: Enricher },
      Plain,
      {
        provide: class Marked {},
        useExisting: Plain,
      },
    ]);
    expect(extensions).toHaveLength(1);
  });

  it('should look into all modules, in the order of their registration', async () => {
    class First extends Enricher {}
    class Second extends Enricher {}
    @Module({ providers: [Second] })
    class Other {}
    const { extensions } = await explore([First], Other);
    expect(extensions.map(({ ref }) => ref.name)).toEqual(['First', 'Second']);
  });

  it('should name undecorated agents by their tokens', async () => {
    const agent = { async *streamEvents() {} };
    class Weather {
      async *streamEvents() {}
    }
    const { undecoratedAgents } = await explore([
      { provide: 'text', useValue: agent },
      { provide: Symbol('symbol'), useFactory: () => agent },
      { provide: 'class', useClass: Weather },
      Weather,
    ]);
    expect(undecoratedAgents.map(({ id }) => id)).toEqual([
      'text',
      'symbol',
      'class',
      'Weather',
    ]);
  });

  it.each([
    ['a mock', new Proxy({}, { get: () => () => undefined })],
    ['a runnable', { lc_runnable: true, streamEvents() {} }],
    ['a job', { run() {} }],
    ['a function', () => undefined],
    [
      'an instance that throws when one looks',
      {
        get streamEvents() {
          throw new Error('Not yet.');
        },
      },
    ],
  ])('should not take %s for an agent', async (_what, value) => {
    const { undecoratedAgents } = await explore([
      { provide: 'x', useFactory: () => [value] },
      { provide: 'y', useValue: value },
    ]);
    expect(undecoratedAgents).toEqual([]);
  });

  it('should find features with the module that they came with', async () => {
    const feature = new AguiFeature({});
    const { features } = await explore([
      { provide: AguiFeature, useValue: feature },
    ]);
    expect(features).toHaveLength(1);
    expect(features[0]!.feature).toBe(feature);
    expect(features[0]!.moduleRef.get(AguiExplorer)).toBeInstanceOf(
      AguiExplorer,
    );
  });
});
