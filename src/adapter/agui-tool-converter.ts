import type { Tool } from '@ag-ui/core';
import type { AgentTool } from '../agent/toolkit.js';

/** The tool that a front end offers, as the agent sees it: it can be called but not executed here. */
export function toAgentTool(tool: Tool): AgentTool {
  return { ...tool, frontend: true };
}

/** The agent's tool in AG-UI's shape, for capabilities. */
export function toAguiTool(tool: AgentTool): Tool {
  return {
    name: tool.name,
    description: tool.description ?? '',
    ...(tool.parameters !== undefined && { parameters: tool.parameters }),
    ...(tool.metadata !== undefined && { metadata: tool.metadata }),
  };
}
