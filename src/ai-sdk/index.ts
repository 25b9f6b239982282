export { AiSdkAgent } from './ai-sdk-agent.js';
export type {
  AiSdkAgentOptions,
  ModelSettings,
  Permission,
} from './ai-sdk-agent-options.js';
export {
  agentTool,
  type AgentToolDefinition,
  type ToolCallContext,
} from './agent-tool.js';
export type { ReasoningHistory } from './model-messages.js';
export { ToolSuspend } from './tool-suspend.js';
export { AguiTool, type AguiToolOptions } from './agui-tool.decorator.js';
export { toolsOf } from './tools-of.js';
export type { SubagentToolOptions } from './subagent-tool.js';
export {
  AiSdkAgentModule,
  type AiSdkAgentModuleExtras,
} from './ai-sdk-agent.module.js';
