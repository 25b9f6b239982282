import type { AgentEvent, AgentEventType } from '../agent/agent-event.js';
import { markExtension } from '../extension.decorator.js';
import type { AguiStreamContext } from './agui-stream-context.js';

/**
 * Turns agent events of some types into AG-UI events (AgentScope: "Custom Converters And Enrichers"). It
 * takes the place of the built-in converter of those types; of several, the last one wins.
 */
export interface AgentEventConverter<E extends AgentEvent = AgentEvent> {
  /** The types it converts; may be left out if the decorator names them. */
  eventTypes?(): Iterable<AgentEventType>;
  /**
   * Says what to send by `context.emit()`, any number of times before it returns; by
   * `context.convertAsUsual(event)` it leaves an event to the built-in converter. What it throws fails
   * the run, and so does a promise.
   */
  convert(event: E, context: AguiStreamContext): void;
}

/**
 * Marks a provider as an {@link AgentEventConverter} of these types of agent event.
 *
 * @example
 * ```ts
 * @Injectable()
 * @AgentEventConverter(AgentEventType.CUSTOM)
 * export class ProgressConverter implements AgentEventConverter { … }
 * ```
 */
export const AgentEventConverter = (
  ...types: AgentEventType[]
): ClassDecorator => markExtension('converter', types);
