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

/** A provider that is an agent though nothing says so; its provider's name is its id. */
export interface UndecoratedAgent {
  id: string;
  ref: ExtensionRef<unknown>;
}

/** What the application's providers contain for this module. */
export interface Exploration {
  extensions: FoundExtension[];
  undecoratedAgents: UndecoratedAgent[];
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
    for (const wrapper of this.discovery.getProviders()) visit(wrapper, found);
    return found;
  }
}

function visit(wrapper: Wrapper, found: Exploration): void {
  const instance = isFixed(wrapper) ? (wrapper.instance as unknown) : undefined;
  if (instance instanceof AguiFeature) {
    const moduleRef = moduleRefOf(wrapper);
    found.features.push({ feature: instance, moduleRef });
    return;
  }
  const type = typeOf(wrapper);
  const token = typeof wrapper.token === 'function' ? wrapper.token : undefined;
  const ownMarks = token === undefined ? [] : marksOf(token);
  // An alias is the same thing again, unless the alias itself is the extension.
  if (wrapper.isAlias && ownMarks.length === 0) return;
  const marks = lastOfEachKind([
    ...(type === undefined ? [] : marksOf(type)),
    ...ownMarks,
  ]);
  for (const mark of marks)
    found.extensions.push({ mark, ref: refOf(wrapper, type, token) });
  if (marks.length === 0 && looksLikeAgent(instance ?? type?.prototype))
    found.undecoratedAgents.push({
      id: idOf(wrapper.token),
      ref: refOf(wrapper, type, token),
    });
}

function refOf(
  wrapper: Wrapper,
  type: Type | undefined,
  token: object | undefined,
): ExtensionRef<unknown> {
  const own = orderOf(token);
  const order = Number.isFinite(own) ? own : orderOf(type);
  const name =
    type === undefined || type === Object ? String(wrapper.name) : type.name;
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
    inject?: unknown[];
    instance: unknown;
  };
  if (metatype !== null && metatype !== undefined && !inject) return metatype;
  const type = wrapper.isAlias
    ? inject?.[0]
    : (instance as object | null | undefined)?.constructor;
  return typeof type === 'function' ? (type as Type) : undefined;
}

/** Whether a provider is an agent though nothing says so. */
function looksLikeAgent(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  try {
    // Mocks have every method that one looks for, but say that they have not.
    const named = 'streamEvents' in value || 'run' in value;
    return named && isUnmistakablyAgent(value);
  } catch {
    // Proxies may not be looked into before there is a request.
    return false;
  }
}

function idOf(token: unknown): string {
  if (typeof token === 'function') return token.name;
  if (typeof token === 'symbol') return token.description ?? String(token);
  return String(token);
}

function moduleRefOf(wrapper: Wrapper): ModuleRef {
  return wrapper.host!.providers.get(ModuleRef)!.instance as ModuleRef;
}

function lastOfEachKind(marks: readonly ExtensionMark[]): ExtensionMark[] {
  return [...new Map(marks.map((mark) => [mark.kind, mark])).values()];
}
