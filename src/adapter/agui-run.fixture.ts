import { expect } from 'vitest';
import type { Agent } from '../agent/agent.js';
import { RuntimeContext } from '../agent/runtime-context.js';
import { agentOf, inputOf, START, text } from './adapter.fixture.js';
import type { AguiAdapterConfig } from './agui-adapter-config.js';
import { AguiAgentAdapter } from './agui-agent-adapter.js';
import { AguiRun } from './agui-run.js';

export const HI = [
  { type: 'TEXT_MESSAGE_START', messageId: 'r1', role: 'assistant' },
  { type: 'TEXT_MESSAGE_CONTENT', messageId: 'r1', delta: 'hi' },
];

export const END_HI = { type: 'TEXT_MESSAGE_END', messageId: 'r1' };

export const failure = (code: string, message: string) => ({
  type: 'RUN_ERROR',
  code,
  message,
  timestamp: expect.any(Number),
});

export const runOf = (
  agent: Agent,
  config?: AguiAdapterConfig,
  context?: RuntimeContext,
) => new AguiAgentAdapter(agent, config).run(inputOf(), context) as AguiRun;

/** Waits until the signal fires; then the agent cleans up, and says so. */
export const waiting = (diary: string[]): Agent =>
  agentOf(
    async function* (_, { signal }) {
      signal.addEventListener('abort', () => diary.push('signal'));
      try {
        yield START;
        yield text('hi');
        await new Promise((resolve) =>
          signal.addEventListener('abort', resolve),
        );
        diary.push('works on');
        yield text(' you cannot hear me');
      } finally {
        diary.push('finally');
      }
    },
    { interrupt: () => void diary.push('interrupt') },
  );
