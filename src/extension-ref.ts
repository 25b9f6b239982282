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

const scopes = new WeakMap<object, RunScope>();

/** The scope of one run: what is request-scoped is made once in it, and may inject the request. */
export class RunScope {
  constructor(readonly id: ContextId) {}

  /** The scope of a request, the same one however often it is asked for. */
  static of(moduleRef: ModuleRef, request: unknown): RunScope {
    const known = (request ?? {}) as Record<PropertyKey, unknown>;
    let scope = scopes.get(known);
    if (scope === undefined) {
      const id = ContextIdFactory.getByRequest(known);
      moduleRef.registerRequestByContextId(known, id);
      scopes.set(known, (scope = new RunScope(id)));
    }
    return scope;
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
  return ownScope(type, moduleRef) === Scope.DEFAULT
    ? fixed(await moduleRef.create(type))
    : { resolve: (scope) => moduleRef.create(type, scope) };
}

/** A ref to an instance that is there. */
export function fixed<T>(
  instance: T,
): Pick<ExtensionRef<T>, 'instance' | 'resolve'> {
  return { instance, resolve: () => instance };
}

/** By what an extension is known again: its instance, or the class that runs make instances of. */
export function identityOf(ref: ExtensionRef<unknown>): unknown {
  return 'instance' in ref ? ref.instance : ref.type;
}

/** Whether something is wrong with an extension. What a factory will make for each run is not known yet. */
export function isKnownNot(
  { type, ...ref }: ExtensionRef<unknown>,
  right: (value: unknown) => boolean,
): boolean {
  if ('instance' in ref) return !right(ref.instance);
  return type !== undefined && !right(type.prototype);
}

export function hasMethod(value: unknown, name: string): boolean {
  return (
    typeof (value as Record<string, unknown> | null | undefined)?.[name] ===
    'function'
  );
}

function providedScope(
  token: unknown,
  moduleRef: ModuleRef,
): Scope | undefined {
  try {
    return moduleRef.introspect(token as Type).scope;
  } catch {
    return undefined;
  }
}

/** What depends on the request is made per request, as Nest does it with providers. */
function ownScope(type: Type, moduleRef: ModuleRef): Scope {
  const options = Reflect.getMetadata('scope:options', type) as
    { scope?: Scope } | undefined;
  const dependsOnRequest = dependenciesOf(type).some(
    (token) => providedScope(token, moduleRef) === Scope.REQUEST,
  );
  return dependsOnRequest ? Scope.REQUEST : (options?.scope ?? Scope.DEFAULT);
}

function dependenciesOf(type: Type): unknown[] {
  const metadata = <T>(key: string) =>
    (Reflect.getMetadata(key, type) ?? []) as T[];
  return [
    ...metadata('design:paramtypes'),
    ...metadata<{ param: unknown }>('self:paramtypes').map(
      ({ param }) => param,
    ),
    ...metadata<{ type: unknown }>('self:properties_metadata').map(
      (property) => property.type,
    ),
  ].map(
    (token) =>
      (token as { forwardRef?: () => unknown } | undefined)?.forwardRef?.() ??
      token,
  );
}
