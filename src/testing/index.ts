export {
  runAgent,
  type AgentRun,
  type RunAgentInputSource,
  type RunAgentOptions,
} from './run-agent.js';
export { FakeAgent } from './fake-agent.js';
export type {
  FakeEvent,
  FakeInterrupt,
  FakeRun,
  FakeState,
  FakeStep,
  FakeThinking,
  FakeToolCall,
  FakeTurn,
} from './fake-step.js';
export { aguiMatchers, type AguiMatchers } from './agui-matchers.js';
export {
  brokenRules,
  type BrokenRule,
  type KnownInput,
  type StreamRule,
} from './broken-rules.js';
