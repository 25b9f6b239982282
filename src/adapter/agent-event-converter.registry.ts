import type { AgentEventType } from '../agent/agent-event.js';
import type { AgentEventConverter } from './agent-event-converter.js';
import { agentLifecycleConverter } from './converters/agent-lifecycle.converter.js';
import { nameOf } from './extension-name.js';
import { modelCallConverter } from './converters/model-call.converter.js';
import {
  passthroughConverter,
  rawConverter,
} from './converters/passthrough.converter.js';
import { textBlockConverter } from './converters/text-block.converter.js';
import { thinkingBlockConverter } from './converters/thinking-block.converter.js';
import { toolCallConverter } from './converters/tool-call.converter.js';
import { toolResultConverter } from './converters/tool-result.converter.js';
import { userConfirmConverter } from './converters/user-confirm.converter.js';

const BUILT_IN = [
  agentLifecycleConverter,
  modelCallConverter,
  textBlockConverter,
  thinkingBlockConverter,
  toolCallConverter,
  toolResultConverter,
  userConfirmConverter,
  passthroughConverter,
] as readonly AgentEventConverter[];

/** Finds the converter of a type of event: the last custom one, else the built-in one, else `RAW`. */
export class AgentEventConverterRegistry {
  private readonly converters = new Map<AgentEventType, AgentEventConverter>();
  private readonly builtIn: ReadonlyMap<AgentEventType, AgentEventConverter>;
  private readonly custom = new Set<AgentEventType>();

  /** @throws TypeError if a converter names no types. */
  constructor(custom: Iterable<AgentEventConverter> = []) {
    for (const converter of BUILT_IN) this.add(converter);
    this.builtIn = new Map(this.converters);
    for (const converter of custom)
      for (const type of this.add(converter)) this.custom.add(type);
  }

  /** The converter that a type has if the application has none of its own. */
  builtInOf(type: AgentEventType): AgentEventConverter {
    return this.builtIn.get(type) ?? rawConverter;
  }

  of(type: AgentEventType): AgentEventConverter {
    return this.converters.get(type) ?? rawConverter;
  }

  /** Whether the application converts this type itself. */
  isCustom(type: AgentEventType): boolean {
    return this.custom.has(type);
  }

  private add(converter: AgentEventConverter): AgentEventType[] {
    const types = [...(converter.eventTypes?.() ?? [])];
    if (types.length === 0)
      throw new TypeError(
        `The converter ${nameOf(converter)} names no event types: give it eventTypes(), or name them in @AgentEventConverter(…).`,
      );
    for (const type of types) this.converters.set(type, converter);
    return types;
  }
}
