import type { FactoryProvider, Provider, Type } from '@nestjs/common';
import { Order } from './order.decorator.js';

/** A provider without its token. */
export type ExtensionProvider<T> = (
  | { useClass: Type<T> }
  | { useValue: T }
  | { useExisting: unknown }
  | Pick<FactoryProvider<T>, 'useFactory' | 'inject' | 'scope'>
) & {
  /** As `@Order` says it. */
  order?: number;
};

/**
 * A provider that is an extension though its value has no decorator: the result of a factory, a
 * plain object, a class of somebody else's. Any number of them may stand side by side.
 *
 * @param decorator what a class of ours would have been decorated with.
 *
 * @example
 * ```ts
 * providers: [
 *   provideExtension<AguiEventEnricher>(AguiEventEnricher(), {
 *     inject: [Tracer],
 *     useFactory: (tracer: Tracer) => ({ enrich: (_source, events) => tracer.mark(events) }),
 *     order: 10,
 *   }),
 * ]
 * ```
 */
export function provideExtension<T>(
  decorator: ClassDecorator,
  { order, ...provider }: ExtensionProvider<T>,
): Provider {
  class Extension {}
  Object.defineProperty(Extension, 'name', { value: describe(provider) });
  decorator(Extension);
  if (order !== undefined) Order(order)(Extension);
  return { provide: Extension, ...provider } as Provider;
}

/** What messages call it. */
function describe(provider: object): string {
  const [form, given] = Object.entries(provider).find(([key]) =>
    key.startsWith('use'),
  ) ?? ['', undefined];
  const name = typeof given === 'function' ? given.name : '';
  return `provideExtension(${form}${name && `: ${name}`})`;
}
