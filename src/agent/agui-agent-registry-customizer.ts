import { markExtension } from '../extension.decorator.js';
import type { AguiAgentRegistry } from './agui-agent.registry.js';

/** Registers agents when the application starts (AgentScope: Spring Boot starter). */
export interface AguiAgentRegistryCustomizer {
  customize(registry: AguiAgentRegistry): void | Promise<void>;
}

/** Marks a provider as an {@link AguiAgentRegistryCustomizer}. */
export const AguiAgentRegistryCustomizer = (): ClassDecorator =>
  markExtension('registry-customizer');
