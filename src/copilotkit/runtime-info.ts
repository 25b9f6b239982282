import type { AgentCapabilities } from '@ag-ui/core';
import type { AguiAgentRegistry } from '../agent/agui-agent.registry.js';
import { listAgents } from '../http/agent-list.js';

/** The version of `@copilotkit/runtime` that is answered for. */
const RUNTIME_VERSION = '1.75.0';

/** An agent as CopilotKit's clients get to know it. */
export interface CopilotKitAgentInfo {
  name: string;
  description: string;
  className: string;
  capabilities?: AgentCapabilities;
}

/** What a CopilotKit runtime says of itself. What is `false` its clients do not ask for. */
export interface CopilotKitRuntimeInfo {
  version: string;
  agents: Record<string, CopilotKitAgentInfo>;
  mode: 'sse';
  audioFileTranscriptionEnabled: false;
  threadEndpoints: Record<
    'list' | 'inspect' | 'mutations' | 'realtimeMetadata',
    false
  >;
  suggestions: false;
  a2uiEnabled: false;
  openGenerativeUIEnabled: false;
  /** Keeps the front end from telling CopilotKit of its use. */
  telemetryDisabled: true;
}

/** The exposed agents, as a runtime tells of them. */
export async function runtimeInfoOf(
  registry: AguiAgentRegistry,
): Promise<CopilotKitRuntimeInfo> {
  const listed = await listAgents(registry);
  const agents = listed.map(({ id, capabilities }) => {
    const { instance } = registry.get(id)!;
    const { description = capabilities?.identity?.description } = (instance ??
      {}) as { description?: unknown };
    return [
      id,
      {
        name: id,
        description: typeof description === 'string' ? description : '',
        className: instance?.constructor?.name ?? 'Agent',
        ...(capabilities !== undefined && { capabilities }),
      },
    ] as const;
  });
  return {
    version: RUNTIME_VERSION,
    agents: Object.fromEntries(agents),
    mode: 'sse',
    audioFileTranscriptionEnabled: false,
    threadEndpoints: {
      list: false,
      inspect: false,
      mutations: false,
      realtimeMetadata: false,
    },
    suggestions: false,
    a2uiEnabled: false,
    openGenerativeUIEnabled: false,
    telemetryDisabled: true,
  };
}
