import { markExtension } from '../extension.decorator.js';
import type { AgentRegistrationOptions } from './agui-agent.registry.js';

/** What `@AguiAgent` leaves on a class. */
export interface AguiAgentMark extends AgentRegistrationOptions {
  id: string;
}

/**
 * Serves a class provider as the agent of this id. A transient or request-scoped provider gives a
 * new instance to each run.
 *
 * @example
 * ```ts
 * @Injectable()
 * @AguiAgent('weather')
 * export class WeatherAgent implements Agent { … }
 * ```
 */
export const AguiAgent = (
  id: string,
  options: AgentRegistrationOptions = {},
): ClassDecorator => markExtension('agent', { id, ...options });
