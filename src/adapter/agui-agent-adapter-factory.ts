import type { RunAgentInput } from '@ag-ui/core';
import type { AnyAgent } from '../agent/agent.js';
import type { RuntimeContext } from '../agent/runtime-context.js';
import { markExtension } from '../extension.decorator.js';
import type { AguiEvent } from '../protocol/agui-event.js';
import type { AguiAdapterConfig } from './agui-adapter-config.js';

/** What the module needs of an adapter; {@link AguiAgentAdapter} is one. */
export interface RunsAgent {
  run(input: RunAgentInput, context?: RuntimeContext): AsyncIterable<AguiEvent>;
}

/**
 * Replaces the way the module makes its adapters (AgentScope: "Spring Boot Integration"). The first
 * by `@Order` is asked.
 */
export interface AguiAgentAdapterFactory {
  /** @param config what the module is configured to, with the application's converters and enrichers. */
  create(
    agent: AnyAgent,
    config: AguiAdapterConfig,
  ): RunsAgent | Promise<RunsAgent>;
}

/** Marks a provider as the {@link AguiAgentAdapterFactory}. */
export const AguiAgentAdapterFactory = (): ClassDecorator =>
  markExtension('adapter-factory');
