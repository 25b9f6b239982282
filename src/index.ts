import 'reflect-metadata';

export { EventType } from '@ag-ui/core';

export { AguiModule } from './agui.module.js';
export type {
  AguiModuleExtras,
  AguiModuleOptions,
} from './agui.module-definition.js';
export { AguiProperties, type AguiPropertiesInput } from './agui.properties.js';
export { AguiConfigurationError } from './agui-properties.parser.js';
export { aguiConfig } from './agui.config.js';
export type {
  AgentDefinition,
  AgentSource,
  AguiFeatureOptions,
  AguiForFeatureOptions,
} from './agui-features.js';
export {
  provideExtension,
  type ExtensionProvider,
} from './provide-extension.js';
export { InvalidExtensionError } from './invalid-extension.error.js';
export { Order } from './order.decorator.js';
export type { Duration } from './duration.js';
export type { ByteSize } from './byte-size.js';

export type {
  Agent,
  AgentStream,
  AnyAgent,
  ProtocolAgent,
} from './agent/agent.js';
export {
  AgentEventType,
  type AgentEvent,
  type AgentEventBase,
  type AgentEventOf,
  type ConfirmResult,
  type ModelUsage,
  type StateUpdateMode,
} from './agent/agent-event.js';
export { AguiAgent } from './agent/agui-agent.decorator.js';
export {
  AguiAgentRegistry,
  DuplicateAgentError,
  type AgentFactory,
  type AgentRegistrationOptions,
  type RegisteredAgent,
} from './agent/agui-agent.registry.js';
export { AguiAgentRegistryCustomizer } from './agent/agui-agent-registry-customizer.js';
export type { AgentSelection } from './agent/agui-agent.resolver.js';
export {
  textOf,
  type ContentBlock,
  type GenerateReason,
  type HintBlock,
  type MediaBlock,
  type MediaSource,
  type Msg,
  type MsgRole,
  type TextBlock,
  type ThinkingBlock,
  type ToolResultBlock,
  type ToolResultState,
  type ToolUseBlock,
} from './agent/msg.js';
export {
  RuntimeContext,
  type RuntimeContextEntries,
  type RuntimeContextInit,
} from './agent/runtime-context.js';
export { Toolkit, ToolMergeMode, type AgentTool } from './agent/toolkit.js';

export { AgentEventConverter } from './adapter/agent-event-converter.js';
export { AguiAgentAdapter } from './adapter/agui-agent-adapter.js';
export {
  AguiAgentAdapterFactory,
  type RunsAgent,
} from './adapter/agui-agent-adapter-factory.js';
export {
  SubagentEvents,
  type AguiAdapterConfig,
} from './adapter/agui-adapter-config.js';
export {
  AguiEventEnricher,
  BaseEventPropertiesEnricher,
} from './adapter/agui-event-enricher.js';
export { AguiMessageConverter } from './adapter/agui-message-converter.js';
export type { AguiStreamContext } from './adapter/agui-stream-context.js';
export { toAgentTool, toAguiTool } from './adapter/agui-tool-converter.js';
export { CONFIRM_RESULTS } from './adapter/answer-metadata.js';

export { AguiError, AguiErrorCode } from './protocol/agui-error.js';
export type { AguiEvent } from './protocol/agui-event.js';

export {
  AguiRequestProcessor,
  type AguiRunRequest,
} from './run/agui-request.processor.js';
export {
  AguiRunObserver,
  type ObservedRun,
  type RequestHeaders,
  type RunObservation,
  type RunSummary,
} from './run/agui-run-observer.js';
export type { RunOutcome, RunTotals } from './adapter/run-totals.js';
export {
  ToolSurroundings,
  type ExecutedCall,
} from './agent/tool-surroundings.js';
export { UnknownAgentError } from './run/unknown-agent.error.js';
export { AguiThreads } from './run/agui-threads.js';
export { UnknownThreadError } from './run/unknown-thread.error.js';
export { ThreadStoreUnavailableError } from './run/thread-store-unavailable.error.js';
export { ConcurrentRuns } from './run/concurrent-runs.js';

export { Divergence } from './thread/divergence.js';
export {
  InMemoryThreadStore,
  type InMemoryThreadStoreOptions,
} from './thread/in-memory-thread-store.js';
export type { Conversation } from './thread/conversation.js';
export type { ThreadKey } from './thread/thread-key.js';
export {
  ThreadLostError,
  ThreadStore,
  type CancelResult,
  type FollowedRun,
  type ThreadLease,
  type ThreadRecord,
  type ThreadView,
} from './thread/thread-store.js';

export { AguiController } from './http/agui.controller.js';
export type { ListedAgent } from './http/agent-list.js';
export { AguiEndpoint, type CancelledRun } from './http/agui.endpoint.js';
export type {
  ConnectDemands,
  RunDemands,
  StreamDemands,
  ThreadPath,
} from './http/route-demands.js';
export type { GuardSource } from './http/agui-guards.js';
export { requestedAgentId } from './http/requested-agent.js';
export { AguiRuntimeContextRequest } from './http/agui-runtime-context-request.js';
export {
  AguiRuntimeContextResolver,
  type ResolvedContext,
} from './http/agui-runtime-context-resolver.js';
