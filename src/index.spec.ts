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
        "AguiRuntimeContextRequest",
        "AguiRuntimeContextResolver",
        "BaseEventPropertiesEnricher",
        "CONFIRM_RESULTS",
        "DuplicateAgentError",
        "EventType",
        "InvalidExtensionError",
        "Order",
        "RuntimeContext",
        "SubagentEvents",
        "ToolMergeMode",
        "Toolkit",
        "UnknownAgentError",
        "aguiConfig",
        "provideExtension",
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
