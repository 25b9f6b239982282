import type { RunAgentInput } from '@ag-ui/core';
import { quoted } from '../log-text.js';
import type { RuntimeContext } from '../agent/runtime-context.js';

/** What log lines call a run. */
export function describeRun(
  { runId, threadId }: RunAgentInput,
  context: RuntimeContext,
): string {
  const agentId = context.get('agui.agentId');
  const whose = agentId === undefined ? '' : ` (agent ${quoted(agentId)})`;
  return `run ${quoted(runId)} of thread ${quoted(threadId)}${whose}`;
}
