import { Injectable, type Type } from '@nestjs/common';
import type { ContextId, ModuleRef } from '@nestjs/core';
import type { AgentEventConverter } from './adapter/agent-event-converter.js';
import type { AguiAgentAdapterFactory } from './adapter/agui-agent-adapter-factory.js';
import type { AguiEventEnricher } from './adapter/agui-event-enricher.js';
import type { AgentEventType } from './agent/agent-event.js';
import type { AguiAgentRegistryCustomizer } from './agent/agui-agent-registry-customizer.js';
import { withTypes } from './converter-types.js';
import type { Exploration } from './agui.explorer.js';
import type { AguiFeatureOptions } from './agui-features.js';
import { marksOf, type ExtensionKind } from './extension.decorator.js';
import {
  classRef,
  fixed,
  hasMethod,
  identityOf,
  isKnownNot,
  type ExtensionRef,
} from './extension-ref.js';
import type { AguiRuntimeContextResolver } from './http/agui-runtime-context-resolver.js';
import { InvalidExtensionError } from './invalid-extension.error.js';
import type { AguiRunObserver } from './run/agui-run-observer.js';
import { byOrder, orderOf } from './order.decorator.js';

interface Kinds {
  converter: AgentEventConverter;
  enricher: AguiEventEnricher;
  'context-resolver': AguiRuntimeContextResolver;
  'adapter-factory': AguiAgentAdapterFactory;
  'run-observer': AguiRunObserver;
  'registry-customizer': AguiAgentRegistryCustomizer;
}

type Kind = keyof Kinds;

const METHODS: Readonly<Record<Kind, string>> = {
  converter: 'convert',
  enricher: 'enrich',
  'context-resolver': 'resolve',
  'adapter-factory': 'create',
  'run-observer': 'begin',
  'registry-customizer': 'customize',
};

const OPTIONS: Readonly<Record<Kind, keyof AguiFeatureOptions>> = {
  converter: 'converters',
  enricher: 'enrichers',
  'context-resolver': 'contextResolvers',
  'adapter-factory': 'adapterFactory',
  'run-observer': 'runObservers',
  'registry-customizer': 'registryCustomizers',
};

/** The application's extensions, each kind in `@Order`: those named in options first among equals. */
@Injectable()
export class AguiExtensions {
  private readonly refs: { [K in Kind]: ExtensionRef<Kinds[K]>[] } = {
    converter: [],
    enricher: [],
    'context-resolver': [],
    'adapter-factory': [],
    'run-observer': [],
    'registry-customizer': [],
  };
  /** The kinds whose extensions are the same for every run. */
  private readonly fixed = new Map<string, readonly unknown[]>();
  private readonly known = new Map<unknown, Set<string>>();

  /**
   * @throws InvalidExtensionError for one that lacks its method, or names event types there are not.
   */
  async load(
    exploration: Exploration,
    named: readonly { options: AguiFeatureOptions; moduleRef: ModuleRef }[],
  ): Promise<void> {
    for (const { options, moduleRef } of named)
      for (const [kind, name, given] of givenIn(options)) {
        const ref = await refOfGiven(given, moduleRef, name, METHODS[kind]);
        this.add(kind, ref, typesOnClass(kind, ref.type));
      }
    for (const { mark, ref } of exploration.extensions)
      if (isKind(mark.kind))
        this.add(mark.kind, ref, (mark.options ?? []) as AgentEventType[]);
    for (const [kind, refs] of Object.entries(this.refs)) {
      refs.sort(byOrder);
      const instances = refs.map(({ instance }) => instance);
      if (!instances.includes(undefined)) this.fixed.set(kind, instances);
    }
  }

  /** Whether there is any of a kind. */
  has(kind: Kind): boolean {
    return this.refs[kind].length > 0;
  }

  /** One kind of extension, as it is for one run; the same list for all runs if nothing depends on the request. */
  async resolve<K extends Kind>(
    kind: K,
    scope: ContextId,
  ): Promise<readonly Kinds[K][]> {
    const refs = this.refs[kind] as ExtensionRef<Kinds[K]>[];
    const fixed = this.fixed.get(kind);
    if (fixed !== undefined) return fixed as Kinds[K][];
    return Promise.all(
      refs.map(async ({ instance, resolve }) => instance ?? resolve(scope)),
    );
  }

  private add(
    kind: Kind,
    ref: ExtensionRef<unknown>,
    types: readonly AgentEventType[],
  ): void {
    const method = METHODS[kind];
    if (isKnownNot(ref, (value) => hasMethod(value, method)))
      throw new InvalidExtensionError(
        ref.name,
        `is declared as ${kind} but has no method ${method}(). Add the method, or remove the declaration.`,
      );
    if (this.isKnown(ref, `${kind} ${types.join()}`)) return;
    (this.refs[kind] as ExtensionRef<unknown>[]).push(
      kind === 'converter'
        ? withTypes(ref as ExtensionRef<AgentEventConverter>, types)
        : ref,
    );
  }

  /** Options may name what is a provider too, and a provider may have several tokens. */
  private isKnown(ref: ExtensionRef<unknown>, what: string): boolean {
    const identity = identityOf(ref);
    if (identity === undefined) return false;
    const known = this.known.get(identity) ?? new Set();
    if (known.has(what)) return true;
    this.known.set(identity, known.add(what));
    return false;
  }
}

function isKind(kind: ExtensionKind): kind is Kind {
  return kind in METHODS;
}

/** The extensions that options name, with what messages call each. */
function givenIn(options: AguiFeatureOptions): [Kind, string, unknown][] {
  return (Object.keys(OPTIONS) as Kind[]).flatMap((kind) => {
    const option = OPTIONS[kind];
    const given: unknown = options[option];
    if (given === undefined) return [];
    if (!Array.isArray(given)) return [[kind, option, given]];
    return given.map((one, place): [Kind, string, unknown] => [
      kind,
      `${option}[${place}]`,
      one,
    ]);
  });
}

async function refOfGiven(
  given: unknown,
  moduleRef: ModuleRef,
  option: string,
  method: string,
): Promise<ExtensionRef<unknown>> {
  if (typeof given === 'function' && given.prototype === undefined)
    throw new InvalidExtensionError(
      option,
      `is a function. Give a class with a method ${method}(), or an object that has one.`,
    );
  const isClass = typeof given === 'function';
  const type = (
    isClass ? given : isObject(given) ? given.constructor : undefined
  ) as Type | undefined;
  return {
    name: type === undefined || type === Object ? option : type.name,
    order: orderOf(type),
    type,
    ...(isClass ? await classRef(given as Type, moduleRef) : fixed(given)),
  };
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** The types that a class's own decorator names. */
function typesOnClass(
  kind: Kind,
  type: Type | undefined,
): readonly AgentEventType[] {
  const mark =
    type && marksOf(type).findLast((one) => one.kind === kind)?.options;
  return (mark ?? []) as AgentEventType[];
}
