// The same agent as in agent.mjs, as an agent of this module says it.
import { setTimeout as sleep } from 'node:timers/promises';
import { stamped, taskOf, token } from './agent.mjs';
import { ACTIVITY, RESULT, TURNS, stateOf } from './agentic.mjs';

const replyId = 'm';

/** The agent events of an input. */
export async function* agentEvents(input) {
  const task = taskOf(input);
  yield { type: 'AGENT_START', replyId };
  if (task.work === 'agentic') {
    yield* turns();
  } else {
    yield { type: 'TEXT_BLOCK_START', replyId };
    yield* tokens(task);
    yield { type: 'TEXT_BLOCK_END', replyId };
  }
  yield { type: 'AGENT_END', replyId };
}

async function* tokens({ work, count, delay }) {
  const type = 'TEXT_BLOCK_DELTA';
  if (work === 'text') {
    for (let index = 0; index < count; index++)
      yield { type, replyId, delta: token(index) };
  } else if (work === 'paced') {
    for (let index = 0; index < count; index++) {
      await sleep(delay);
      yield { type, replyId, delta: stamped() };
    }
  } else {
    yield { type, replyId, delta: token(0) };
    await new Promise(() => {});
  }
}

async function* turns() {
  for (const [turn, { thoughts, texts, calls }] of TURNS.entries()) {
    yield { type: 'MODEL_CALL_START', replyId };
    yield { type: 'THINKING_BLOCK_START', replyId };
    for (let index = 0; index < thoughts; index++)
      yield { type: 'THINKING_BLOCK_DELTA', replyId, delta: token(index) };
    yield { type: 'THINKING_BLOCK_END', replyId };
    yield { type: 'TEXT_BLOCK_START', replyId };
    for (let index = 0; index < texts; index++)
      yield { type: 'TEXT_BLOCK_DELTA', replyId, delta: token(index) };
    yield { type: 'TEXT_BLOCK_END', replyId };
    for (const { toolCallId, toolCallName, args } of calls) {
      const call = { replyId, toolCallId, toolCallName };
      yield { type: 'TOOL_CALL_START', ...call };
      for (const delta of args)
        yield { type: 'TOOL_CALL_DELTA', ...call, delta };
      yield { type: 'TOOL_CALL_END', ...call };
      yield { type: 'TOOL_RESULT_START', ...call };
      yield { type: 'TOOL_RESULT_TEXT_DELTA', ...call, delta: RESULT };
      yield { type: 'TOOL_RESULT_END', ...call, state: 'success' };
    }
    yield {
      type: 'STATE_UPDATE',
      state: stateOf(turn),
      mode: turn === 0 ? 'SNAPSHOT' : 'DELTA',
    };
    yield { type: 'CUSTOM', ...ACTIVITY };
  }
}
