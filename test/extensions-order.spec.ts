import { Injectable, Scope } from '@nestjs/common';
import { afterEach, describe, expect, it } from 'vitest';
import {
  AgentEventConverter,
  AgentEventType,
  AguiModule,
  Order,
  provideExtension,
} from 'nestjs-agui';
import { closeApps, PLATFORMS } from './support/app.js';
import { startWith } from './support/extension-app.js';
import { decorated, type Given } from './support/extension-forms.js';
import { KINDS, plainOf, type Kind } from './support/extension-kinds.js';

afterEach(closeApps);

/** Extensions `a` to `h` in the order in which they should come, given in another order and in many forms. */
function givenOutOfOrder(kind: Kind): Given {
  const letter = (name: string) =>
    kind.label === 'F' ? name.toUpperCase() : name;
  class Feature {}
  return {
    providers: [
      decorated(kind, letter('g')),
      decorated(
        kind,
        letter('d'),
        Order(5),
        Injectable({ scope: Scope.REQUEST }),
      ),
      {
        provide: 'factory',
        useFactory: () =>
          new (decorated(kind, letter('b'), Order(-1)))() as object,
      },
      provideExtension(kind.decorator(letter('e')), {
        order: 6,
        useValue: plainOf(kind, kind.define(letter('e'))),
      }),
      // What stands at the provider wins over what stands on its class.
      provideExtension(kind.decorator(letter('c')), {
        order: 0,
        useClass: decorated(kind, letter('c'), Order(-1000)),
      }),
      {
        provide: 'value',
        useValue: new (decorated(kind, letter('a'), Order(-10)))(),
      },
    ],
    imports: [
      AguiModule.forFeature(
        kind.named(
          letter('f'),
          plainOf(kind, kind.define(letter('f'))) as never,
        ),
      ),
      { module: Feature, providers: [decorated(kind, letter('h'))] },
    ],
  };
}

/** Those of which only one is asked. */
const WINNER: Record<string, string> = {
  converter: 'h',
  'adapter factory': 'A',
};

describe.each(PLATFORMS)('The order of extensions on %s', (platform) => {
  it.each(
    KINDS.filter(({ name }) => name !== 'agent').map(
      (kind) => [kind.name, kind] as const,
    ),
  )(
    'should be that of @Order for each %s, unordered last, named before found',
    async (name, kind) => {
      const app = await startWith(platform, givenOutOfOrder(kind));
      expect((await kind.seen(app)).join('')).toBe(WINNER[name] ?? 'abcdefgh');
    },
  );

  it('should be inherited with @Order of a base class', async () => {
    const enricher = KINDS.find(({ name }) => name === 'enricher')!;
    class Derived extends decorated(enricher, 'a', Order(1)) {}
    const app = await startWith(platform, {
      providers: [decorated(enricher, 'b'), Derived],
    });
    expect((await enricher.seen(app)).join('')).toBe('ab');
  });

  it('should let the last of several converters of one type win, and keep the others for their own types', async () => {
    const converter = KINDS.find(({ name }) => name === 'converter')!;
    const both = new (converter.define('first'))() as AgentEventConverter;
    const app = await startWith(platform, {
      providers: [
        provideExtension(
          AgentEventConverter(AgentEventType.CUSTOM, AgentEventType.HINT_BLOCK),
          { useValue: both, order: 1 },
        ),
        provideExtension(AgentEventConverter(AgentEventType.CUSTOM), {
          useValue: plainOf(converter, converter.define('second')),
          order: 2,
        }),
      ],
    });
    expect(await converter.seen(app)).toEqual(['second']);
  });
});
