import { Scope, type Type } from '@nestjs/common';
import { ContextIdFactory, type ContextId, type ModuleRef } from '@nestjs/core';

/** One extension of the application's: the instance that serves every run, or the way to one for a run. */
export interface ExtensionRef<T> {
  /** The class's name, for messages. */
  name: string;
  order: number;
  /** The class, to look at without an instance. */
  type: Type<T> | undefined;
  /** Present if one instance serves every run. */
  instance?: T;
  resolve: (scope: ContextId) => T | Promise<T>;
}

/** The scope of one run: what is request-scoped is made once in it, and may inject the request. */
export class RunScope {
  constructor(readonly id: ContextId) {}

  static of(moduleRef: ModuleRef, request: unknown): RunScope {
    const known = (request ?? {}) as Record<PropertyKey, unknown>;
    const id = ContextIdFactory.getByRequest(known);
    moduleRef.registerRequestByContextId(known, id);
    return new RunScope(id);
  }
}

/**
 * How to get at an instance of a class: the application's provider if there is one, else an
 * instance of our own whose dependencies the module can see.
 */
export async function classRef<T>(
  type: Type<T>,
  moduleRef: ModuleRef,
): Promise<Pick<ExtensionRef<T>, 'instance' | 'resolve'>> {
  const provided = providedScope(type, moduleRef);
  if (provided === Scope.DEFAULT)
    return fixed(moduleRef.get<T>(type, { strict: false }));
  if (provided !== undefined)
    return {
      resolve: (scope) => moduleRef.resolve<T>(type, scope, { strict: false }),
    };
  return ownScope(type) === Scope.DEFAULT
    ? fixed(await moduleRef.create(type))
    : { resolve: (scope) => moduleRef.create(type, scope) };
}

/** A ref to an instance that is there. */
export function fixed<T>(
  instance: T,
): Pick<ExtensionRef<T>, 'instance' | 'resolve'> {
  return { instance, resolve: () => instance };
}

function providedScope(type: Type, moduleRef: ModuleRef): Scope | undefined {
  try {
    return moduleRef.introspect(type).scope;
  } catch {
    return undefined;
  }
}

function ownScope(type: Type): Scope {
  const options = Reflect.getMetadata('scope:options', type) as
    { scope?: Scope } | undefined;
  return options?.scope ?? Scope.DEFAULT;
}
