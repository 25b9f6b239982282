import { Injectable, type Type } from '@nestjs/common';
import { DiscoveryService, ModuleRef } from '@nestjs/core';
import { isUnmistakablyAgent } from './agent/agent.js';
import { AguiFeature } from './agui-features.js';
import { marksOf, type ExtensionMark } from './extension.decorator.js';
import { fixed, type ExtensionRef } from './extension-ref.js';
import { orderOf } from './order.decorator.js';

type Wrapper = ReturnType<DiscoveryService['getProviders']>[number];

/** An extension that was found among the application's providers. */
export interface FoundExtension {
  mark: ExtensionMark;
  ref: ExtensionRef<unknown>;
}

/** What the application's providers contain for this module. */
export interface Exploration {
  extensions: FoundExtension[];
  /** Providers that are agents though nothing says so, under their providers' names. */
  undecoratedAgents: ExtensionRef<unknown>[];
  /** What `forFeature` named. */
  features: { feature: AguiFeature; moduleRef: ModuleRef }[];
}

/** Looks through the providers of all modules, in every form that a provider may have. */
@Injectable()
export class AguiExplorer {
  constructor(private readonly discovery: DiscoveryService) {}

  explore(): Exploration {
    const found: Exploration = {
      extensions: [],
      undecoratedAgents: [],
      features: [],
    };
    const seen = new Set<unknown>();
    for (const wrapper of this.discovery.getProviders())
      this.visit(wrapper, found, seen);
    return found;
  }

  private visit(
    wrapper: Wrapper,
    found: Exploration,
    seen: Set<unknown>,
  ): void {
    const fixedInstance = isFixed(wrapper)
      ? (wrapper.instance as unknown)
      : undefined;
    if (fixedInstance instanceof AguiFeature) {
      const moduleRef = moduleRefOf(wrapper);
      found.features.push({ feature: fixedInstance, moduleRef });
      return;
    }
    const type = typeOf(wrapper);
    const token =
      typeof wrapper.token === 'function' ? wrapper.token : undefined;
    const marks = lastOfEachKind([
      ...(type === undefined ? [] : marksOf(type)),
      ...(token === undefined || token === type ? [] : marksOf(token)),
    ]);
    // An alias is the same thing again, unless the alias itself is the extension.
    if (wrapper.isAlias && (token === undefined || marksOf(token).length === 0))
      return;
    if (isObject(fixedInstance)) {
      if (seen.has(fixedInstance)) return;
      seen.add(fixedInstance);
    }
    if (marks.length === 0) {
      const sample = fixedInstance ?? (type?.prototype as unknown);
      if (isUnmistakablyAgent(sample))
        found.undecoratedAgents.push(refOf(wrapper, type, token));
      return;
    }
    const ref = refOf(wrapper, type, token);
    for (const mark of marks) found.extensions.push({ mark, ref });
  }
}

function refOf(
  wrapper: Wrapper,
  type: Type | undefined,
  token: object | undefined,
): ExtensionRef<unknown> {
  const order = Math.min(orderOf(token), orderOf(type));
  const name = String(wrapper.name);
  if (isFixed(wrapper))
    return { name, order, type, ...fixed(wrapper.instance as unknown) };
  const moduleRef = moduleRefOf(wrapper);
  return {
    name,
    order,
    type,
    resolve: (scope) => moduleRef.resolve(wrapper.token as string, scope),
  };
}

/** Whether one instance serves everybody. */
function isFixed(wrapper: Wrapper): boolean {
  return wrapper.isDependencyTreeStatic() && !wrapper.isTransient;
}

/** The class of what a provider gives; unknown for factories that have not made anything yet. */
function typeOf(wrapper: Wrapper): Type | undefined {
  const { metatype, inject, instance } = wrapper as {
    metatype: Type | null;
    inject?: unknown;
    instance: unknown;
  };
  if (metatype !== null && metatype !== undefined && !inject) return metatype;
  if (!isObject(instance)) return undefined;
  return instance.constructor as Type | undefined;
}

function moduleRefOf(wrapper: Wrapper): ModuleRef {
  return wrapper.host!.providers.get(ModuleRef)!.instance as ModuleRef;
}

function lastOfEachKind(marks: readonly ExtensionMark[]): ExtensionMark[] {
  return [...new Map(marks.map((mark) => [mark.kind, mark])).values()];
}

function isObject(value: unknown): value is object {
  return (
    (typeof value === 'object' && value !== null) || typeof value === 'function'
  );
}
