import type { AgentEvent, AgentEventType } from '../agent/agent-event.js';
import type { AgentEventConverter } from './agent-event-converter.js';
import { SubagentEvents } from './agui-adapter-config.js';
import { agentLifecycleConverter } from './converters/agent-lifecycle.converter.js';
import { modelCallConverter } from './converters/model-call.converter.js';
import {
  passthroughConverter,
  rawConverter,
} from './converters/passthrough.converter.js';
import { subagentCustomConverter } from './converters/subagent-custom.converter.js';
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

/** Finds the converter of an agent event: the last custom one of its type, else the built-in one, else `RAW`. */
export class AgentEventConverterRegistry {
  private readonly converters = new Map<AgentEventType, AgentEventConverter>();
  private readonly custom = new Set<AgentEventType>();

  constructor(
    custom: Iterable<AgentEventConverter>,
    private readonly subagentEvents: SubagentEvents,
  ) {
    for (const converter of BUILT_IN) this.add(converter);
    for (const converter of custom)
      for (const type of this.add(converter)) this.custom.add(type);
  }

  of(event: AgentEvent): AgentEventConverter {
    if (event.source && this.subagentEvents === SubagentEvents.CUSTOM)
      return subagentCustomConverter;
    return this.converters.get(event.type) ?? rawConverter;
  }

  /** Whether the application converts this type itself. */
  isCustom(type: AgentEventType): boolean {
    return this.custom.has(type);
  }

  private add(converter: AgentEventConverter): AgentEventType[] {
    const types = [...(converter.eventTypes?.() ?? [])];
    if (types.length === 0)
      throw new TypeError(
        `The converter ${converter.constructor.name} names no event types: give it eventTypes(), or name them in @AgentEventConverter(…).`,
      );
    for (const type of types) this.converters.set(type, converter);
    return types;
  }
}
