import { inspect } from 'node:util';
import type { DynamicModule, ForwardReference, Type } from '@nestjs/common';
import type { AgentEventConverter } from './adapter/agent-event-converter.js';
import type { AguiAgentAdapterFactory } from './adapter/agui-agent-adapter-factory.js';
import type { AguiEventEnricher } from './adapter/agui-event-enricher.js';
import type { AnyAgent } from './agent/agent.js';
import type {
  AgentFactory,
  AgentRegistrationOptions,
} from './agent/agui-agent.registry.js';
import type { AguiAgentRegistryCustomizer } from './agent/agui-agent-registry-customizer.js';
import { AguiConfigurationError } from './agui-properties.parser.js';
import type { AguiRuntimeContextResolver } from './http/agui-runtime-context-resolver.js';
import type { AguiRunObserver } from './run/agui-run-observer.js';

/**
 * An agent as options give it: an instance, a class, or a factory that makes one per run. A class
 * is the application's provider if there is one.
 */
export type AgentSource = AnyAgent | Type<AnyAgent> | AgentFactory;

/** An agent with options. */
export interface AgentDefinition extends AgentRegistrationOptions {
  agent: AgentSource;
}

type Given<T> = T | Type<T>;

/**
 * Agents and extensions named in `forRoot` or `forFeature` instead of being found by their
 * decorators: instances, or classes.
 */
export interface AguiFeatureOptions {
  /** Agents by id. */
  agents?: Readonly<Record<string, AgentSource | AgentDefinition>>;
  converters?: readonly Given<AgentEventConverter>[];
  enrichers?: readonly Given<AguiEventEnricher>[];
  contextResolvers?: readonly Given<AguiRuntimeContextResolver>[];
  adapterFactory?: Given<AguiAgentAdapterFactory>;
  runObservers?: readonly Given<AguiRunObserver>[];
  registryCustomizers?: readonly Given<AguiAgentRegistryCustomizer>[];
}

const LIST = {
  allowed: 'a list of classes or instances',
  fits: (value: unknown) => Array.isArray(value),
};

/** How each of {@link AguiFeatureOptions} has to come. */
const FEATURE_OPTIONS: Record<
  keyof AguiFeatureOptions,
  { allowed: string; fits(value: unknown): boolean }
> = {
  agents: { allowed: 'an object of agents by their ids', fits: isDictionary },
  converters: LIST,
  enrichers: LIST,
  contextResolvers: LIST,
  adapterFactory: {
    allowed: 'a class or an instance',
    fits: (value) => typeof value === 'function' || isDictionary(value),
  },
  runObservers: LIST,
  registryCustomizers: LIST,
};

/** @throws AguiConfigurationError for an option there is not, or that has another form. */
export function checkFeatureOptions(options: AguiFeatureOptions): void {
  const unknown = Object.keys(options).filter(
    (name) => !Object.hasOwn(FEATURE_OPTIONS, name),
  );
  const problems = [
    ...unknown.map(
      (name) =>
        `"${name}" is no option of AguiModule.forFeature(). The options are ${Object.keys(FEATURE_OPTIONS).join(', ')}, imports.`,
    ),
    ...misshapenIn(options),
  ];
  if (problems.length > 0) throw new AguiConfigurationError(problems);
}

/** What is wrong with the form of agents and extensions, a line each. */
export function misshapenIn(options: AguiFeatureOptions): string[] {
  return Object.entries(FEATURE_OPTIONS).flatMap(([name, form]) => {
    const value: unknown = options[name as keyof AguiFeatureOptions];
    return value === undefined || form.fits(value)
      ? []
      : `"${name}" is ${inspect(value)}; allowed: ${form.allowed}.`;
  });
}

function isDictionary(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof Map)
  );
}

/** {@link AguiFeatureOptions}, and the modules that its classes need. */
export interface AguiForFeatureOptions extends AguiFeatureOptions {
  imports?: (
    Type | DynamicModule | Promise<DynamicModule> | ForwardReference
  )[];
}

/** The provider by which a `forFeature` is found. @internal */
export class AguiFeature {
  constructor(readonly options: AguiFeatureOptions) {}
}
