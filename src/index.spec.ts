import { describe, expect, it } from 'vitest';
import * as entry from './index.js';

describe('The package', () => {
  it('should export these names and no others', () => {
    expect(Object.keys(entry).toSorted()).toMatchInlineSnapshot(`
      [
        "AgentEventConverter",
        "AgentEventType",
        "AguiAgent",
        "AguiAgentAdapter",
        "AguiAgentAdapterFactory",
        "AguiAgentRegistry",
        "AguiAgentRegistryCustomizer",
        "AguiConfigurationError",
        "AguiController",
        "AguiEndpoint",
        "AguiError",
        "AguiErrorCode",
        "AguiEventEnricher",
        "AguiMessageConverter",
        "AguiModule",
        "AguiProperties",
        "AguiRequestProcessor",
        "AguiRunObserver",
        "AguiRuntimeContextRequest",
        "AguiRuntimeContextResolver",
        "AguiThreads",
        "BaseEventPropertiesEnricher",
        "CONFIRM_RESULTS",
        "ConcurrentRuns",
        "Divergence",
        "DuplicateAgentError",
        "EventType",
        "InMemoryThreadStore",
        "InvalidExtensionError",
        "Order",
        "RuntimeContext",
        "SubagentEvents",
        "ThreadLostError",
        "ThreadStore",
        "ThreadStoreUnavailableError",
        "ToolMergeMode",
        "ToolSurroundings",
        "Toolkit",
        "UnknownAgentError",
        "UnknownThreadError",
        "aguiConfig",
        "provideExtension",
        "requestedAgentId",
        "textOf",
        "toAgentTool",
        "toAguiTool",
      ]
    `);
  });

  it('should bring the metadata reflection that decorators need', () => {
    expect(Reflect.getMetadata).toBeTypeOf('function');
  });
});
