import { ToolMergeMode } from '../agent/toolkit.js';
import { parseDuration, type Duration } from '../duration.js';
import type { AgentEventConverter } from './agent-event-converter.js';
import { AgentEventConverterRegistry } from './agent-event-converter.registry.js';
import {
  BaseEventPropertiesEnricher,
  type AguiEventEnricher,
} from './agui-event-enricher.js';

/** How a subagent's events (those with a `source`) reach the client. */
export const SubagentEvents = {
  /** As `CUSTOM` events named `subagent.*`, which converters have no part in; the default. */
  CUSTOM: 'custom',
  /** Converted like the agent's own, without a mark. */
  NATIVE: 'native',
  /** Converted like the agent's own, between `SUBAGENT_STARTED` and `SUBAGENT_FINISHED`, with `subagentRunId`. */
  ATTRIBUTED: 'attributed',
} as const;

/** One of the ways of {@link SubagentEvents}. */
export type SubagentEvents =
  (typeof SubagentEvents)[keyof typeof SubagentEvents];

/** How an adapter converts (AgentScope: `AguiAdapterConfig`). */
export interface AguiAdapterConfig {
  /** Sends the model's reasoning. Default false. */
  enableReasoning?: boolean;
  /** Sends token usage: a `CUSTOM` event `token_usage` per model call, and `usage` at the end. Default false. */
  emitTokenUsage?: boolean;
  /** Sends the arguments of tool calls; those of frontend tools are sent in any case. Default true. */
  emitToolCallArgs?: boolean;
  /** Sends shared state when an agent changes it. Default true. */
  emitStateEvents?: boolean;
  /** Sends `RUN_FINISHED` after `RUN_ERROR`, which AG-UI 1.0 forbids, for clients that wait for it. Default false. */
  emitRunFinishedAfterError?: boolean;
  /** How long a run may take before it fails with `TIMEOUT_ERROR`; 0 for no limit. Default 10 minutes. */
  runTimeout?: Duration;
  /** How frontend tools and the agent's own come together. Default `MERGE_FRONTEND_PRIORITY`. */
  defaultToolMergeMode?: ToolMergeMode;
  /** How subagents' events reach the client. Default `custom`. */
  subagentEvents?: SubagentEvents;
  /** AgentScope's name for `subagentEvents: 'native'`. */
  emitSubagentEventsAsNative?: boolean;
  /** Adds a {@link BaseEventPropertiesEnricher} after the other enrichers. Default false. */
  baseEventPropertiesEnricherEnabled?: boolean;
  /** Tells the client what an agent threw, instead of a masked text. For development. Default false. */
  exposeErrors?: boolean;
  /** Converters that replace or add to the built-in ones; of two for one type the later wins. */
  converters?: readonly AgentEventConverter[];
  /** Enrichers, in the order in which they run. */
  enrichers?: readonly AguiEventEnricher[];
}

/** What an adapter does when nobody says otherwise. */
export const ADAPTER_DEFAULTS = {
  enableReasoning: false,
  emitTokenUsage: false,
  emitToolCallArgs: true,
  emitStateEvents: true,
  emitRunFinishedAfterError: false,
  runTimeout: 600_000,
  defaultToolMergeMode: ToolMergeMode.MERGE_FRONTEND_PRIORITY as ToolMergeMode,
  subagentEvents: SubagentEvents.CUSTOM as SubagentEvents,
  baseEventPropertiesEnricherEnabled: false,
  exposeErrors: false,
};

const NO_CONVERTERS: readonly AgentEventConverter[] = [];
const registries = new WeakMap<object, AgentEventConverterRegistry>();

/** One registry per list: most runs have the same converters. */
function registryOf(
  converters: readonly AgentEventConverter[],
): AgentEventConverterRegistry {
  let registry = registries.get(converters);
  if (registry === undefined) {
    registry = new AgentEventConverterRegistry(converters);
    registries.set(converters, registry);
  }
  return registry;
}

/** A configuration with its defaults filled in, ready for runs. */
export interface FullAdapterConfig extends Readonly<typeof ADAPTER_DEFAULTS> {
  readonly converters: AgentEventConverterRegistry;
  /** All of them, in the order in which they run. */
  readonly enrichers: readonly AguiEventEnricher[];
}

/** @throws TypeError if `runTimeout` is no duration, or a converter names no event types. */
export function completeConfig(config: AguiAdapterConfig): FullAdapterConfig {
  const given: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(config))
    if (value !== undefined) given[name] = value;
  const runTimeout = parseDuration(
    config.runTimeout ?? ADAPTER_DEFAULTS.runTimeout,
  );
  if (runTimeout === undefined)
    throw new TypeError(
      `runTimeout is "${config.runTimeout}"; it must be milliseconds or a duration such as "10m".`,
    );
  return {
    ...ADAPTER_DEFAULTS,
    ...(config.emitSubagentEventsAsNative === true && {
      subagentEvents: SubagentEvents.NATIVE,
    }),
    ...given,
    runTimeout,
    converters: registryOf(config.converters ?? NO_CONVERTERS),
    enrichers: [
      ...(config.enrichers ?? []),
      ...(config.baseEventPropertiesEnricherEnabled === true
        ? [new BaseEventPropertiesEnricher()]
        : []),
    ],
  };
}
