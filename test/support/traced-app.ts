import { setTimeout as sleep } from 'node:timers/promises';
import { AguiModule, type AgentSource } from 'nestjs-agui';
import { AguiOpenTelemetryModule } from 'nestjs-agui/opentelemetry';
import { agentOf, reply } from './agents.js';
import {
  startApp,
  type Platform,
  type StartOptions,
  type TestApp,
} from './app.js';
import type { RootOptions } from './module-app.js';
import { traced } from './telemetry.js';

/** An application that serves one agent, with telemetry. */
export function serveTraced(
  platform: Platform,
  agent: AgentSource,
  options: RootOptions = {},
  start: StartOptions = {},
): Promise<TestApp> {
  return startApp(
    platform,
    {
      imports: [
        AguiModule.forRoot({ agents: { default: agent }, ...options }),
        AguiOpenTelemetryModule,
      ],
    },
    start,
  );
}

const call = { replyId: 'r', toolCallId: 'c1', toolCallName: 'look' };

/** Says of a model call and a tool what any agent may say. */
export const teller = agentOf(async function* () {
  yield reply.start();
  yield {
    type: 'MODEL_CALL_START',
    replyId: 'r',
    provider: 'acme',
    model: 'small',
  };
  await sleep(5);
  yield {
    type: 'MODEL_CALL_END',
    replyId: 'r',
    provider: 'acme',
    model: 'small-1',
    responseId: 'answer-1',
    finishReason: 'tool-calls',
    usage: {
      inputTokens: 11,
      outputTokens: 5,
      cachedTokens: 4,
      cacheWriteTokens: 2,
      reasoningTokens: 1,
    },
  };
  yield { type: 'TOOL_CALL_START', ...call };
  yield { type: 'TOOL_CALL_END', ...call, toolCallName: '' };
  await sleep(5);
  traced('in the agent', () => undefined);
  yield { type: 'TOOL_RESULT_END', ...call, state: 'success' };
  yield reply.end();
});
