import { describe, expect, it } from 'vitest';
import { byOrder, Order, orderOf } from './order.decorator.js';

describe('Order', () => {
  @Order(-5)
  class Early {}

  class Inherits extends Early {}

  @Order(7)
  class Overrides extends Early {}

  class Unordered {}

  it('should be kept on the class', () => {
    expect(orderOf(Early)).toBe(-5);
  });

  it('should be inherited, unless a subclass has an order of its own', () => {
    expect(orderOf(Inherits)).toBe(-5);
    expect(orderOf(Overrides)).toBe(7);
    expect(orderOf(Early)).toBe(-5);
  });

  it('should put a class without one last', () => {
    expect(orderOf(Unordered)).toBe(Number.POSITIVE_INFINITY);
    expect(orderOf(undefined)).toBe(Number.POSITIVE_INFINITY);
  });

  it('should sort lower first, unordered last, ties as they were', () => {
    const none = Number.POSITIVE_INFINITY;
    const sorted = [
      { name: 'x', order: none },
      { name: 'b', order: 1 },
      { name: 'y', order: none },
      { name: 'c', order: 1 },
      { name: 'a', order: -1 },
    ].sort(byOrder);
    expect(sorted.map(({ name }) => name).join('')).toBe('abcxy');
  });
});
