import { SetMetadata } from '@nestjs/common';

const ORDER = 'agui:order';

/**
 * Where a converter, enricher, resolver, factory or customizer stands among its like: lower first,
 * unordered ones last, ties in the order of registration (Spring: `@Order`).
 */
export const Order = (order: number): ClassDecorator =>
  SetMetadata(ORDER, order);

/** The order of a class; one without `@Order` comes last. */
export function orderOf(target: object | undefined): number {
  if (target === undefined) return Number.POSITIVE_INFINITY;
  const order: unknown = Reflect.getMetadata(ORDER, target);
  return typeof order === 'number' ? order : Number.POSITIVE_INFINITY;
}

/** Compares what has an order; stable sorts keep ties as they are. */
export function byOrder(a: { order: number }, b: { order: number }): number {
  return a.order === b.order ? 0 : a.order - b.order;
}
