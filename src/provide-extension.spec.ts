import type { ClassProvider, Type } from '@nestjs/common';
import { describe, expect, it } from 'vitest';
import { markExtension, marksOf } from './extension.decorator.js';
import { orderOf } from './order.decorator.js';
import { provideExtension } from './provide-extension.js';

const decorator = markExtension('enricher', 'given');

function tokenOf(provider: unknown): Type {
  return (provider as ClassProvider).provide as Type;
}

describe('provideExtension', () => {
  it('should give a provider under a decorated token of its own', () => {
    const value = {};
    const one = provideExtension(decorator, { useValue: value });
    const other = provideExtension(decorator, { useValue: value });
    expect(one).toMatchObject({ useValue: value });
    expect(tokenOf(one)).not.toBe(tokenOf(other));
    expect(marksOf(tokenOf(one))).toEqual([
      { kind: 'enricher', options: 'given' },
    ]);
  });

  it('should carry an order, also 0, and none if none is given', () => {
    const order = (given?: number) =>
      orderOf(
        tokenOf(provideExtension(decorator, { useValue: {}, order: given })),
      );
    expect(order(7)).toBe(7);
    expect(order(0)).toBe(0);
    expect(order()).toBe(Number.POSITIVE_INFINITY);
  });

  it('should hand the rest of the provider on', () => {
    const useFactory = () => ({});
    expect(
      provideExtension(decorator, { useFactory, inject: ['a'], order: 1 }),
    ).toEqual({
      provide: expect.any(Function) as unknown,
      useFactory,
      inject: ['a'],
    });
  });

  class Some {}

  it.each([
    [{ useClass: Some }, 'provideExtension(useClass: Some)'],
    [{ useExisting: Some }, 'provideExtension(useExisting: Some)'],
    [{ useExisting: 'token' }, 'provideExtension(useExisting)'],
    [{ useValue: {} }, 'provideExtension(useValue)'],
    [
      { inject: [Some], useFactory: function make() {} },
      'provideExtension(useFactory: make)',
    ],
  ])('should be called by what it is given', (given, name) => {
    expect(tokenOf(provideExtension(decorator, given as never)).name).toBe(
      name,
    );
  });
});
