// The agent that every contender runs, in AG-UI's events and, for ours, in agent events. Both say the same.
// The last message of the input is the work to do: "text 1000", "agentic", "idle", "paced 100 20".
import { setTimeout as sleep } from 'node:timers/promises';
import { ACTIVITY, RESULT, TURNS, stateOf } from './agentic.mjs';

const WORDS =
  'the agent answers with words of about the length that models have'.split(
    ' ',
  );

/** The delta of a token. */
export const token = (index) => `${WORDS[index % WORDS.length]} `;

/** A token that says when it was made, for the load process on the same machine. */
export const stamped = () => `@${process.hrtime.bigint()} `;

/** What the input asks for. */
export function taskOf(input) {
  const [work, count = '0', delay = '0'] = input.messages
    .at(-1)
    .content.split(' ');
  return { work, count: Number(count), delay: Number(delay) };
}

const never = () => new Promise(() => {});

/** The events as AG-UI has them: what a hand-written agent yields. */
export async function* aguiEvents(input) {
  const { threadId, runId } = input;
  const task = taskOf(input);
  yield { type: 'RUN_STARTED', threadId, runId };
  if (task.work === 'agentic') {
    yield* aguiTurns();
  } else {
    yield { type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant' };
    yield* aguiTokens(task);
    yield { type: 'TEXT_MESSAGE_END', messageId: 'm' };
  }
  yield { type: 'RUN_FINISHED', threadId, runId };
}

async function* aguiTokens({ work, count, delay }) {
  const type = 'TEXT_MESSAGE_CONTENT';
  if (work === 'text') {
    for (let index = 0; index < count; index++)
      yield { type, messageId: 'm', delta: token(index) };
  } else if (work === 'paced') {
    for (let index = 0; index < count; index++) {
      await sleep(delay);
      yield { type, messageId: 'm', delta: stamped() };
    }
  } else {
    yield { type, messageId: 'm', delta: token(0) };
    await never();
  }
}

async function* aguiTurns() {
  for (const [turn, { thoughts, texts, calls }] of TURNS.entries()) {
    const messageId = `m-${turn}`;
    const thoughtId = `${messageId}-reasoning`;
    yield { type: 'REASONING_START', messageId: thoughtId };
    yield {
      type: 'REASONING_MESSAGE_START',
      messageId: thoughtId,
      role: 'reasoning',
    };
    for (let index = 0; index < thoughts; index++)
      yield {
        type: 'REASONING_MESSAGE_CONTENT',
        messageId: thoughtId,
        delta: token(index),
      };
    yield { type: 'REASONING_MESSAGE_END', messageId: thoughtId };
    yield { type: 'REASONING_END', messageId: thoughtId };
    yield { type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' };
    for (let index = 0; index < texts; index++)
      yield { type: 'TEXT_MESSAGE_CONTENT', messageId, delta: token(index) };
    yield { type: 'TEXT_MESSAGE_END', messageId };
    for (const { toolCallId, toolCallName, args } of calls) {
      yield {
        type: 'TOOL_CALL_START',
        toolCallId,
        toolCallName,
        parentMessageId: messageId,
      };
      for (const delta of args)
        yield { type: 'TOOL_CALL_ARGS', toolCallId, delta };
      yield { type: 'TOOL_CALL_END', toolCallId };
      yield {
        type: 'TOOL_CALL_RESULT',
        messageId: `${toolCallId}-result`,
        toolCallId,
        content: RESULT,
        role: 'tool',
      };
    }
    yield turn === 0
      ? { type: 'STATE_SNAPSHOT', snapshot: stateOf(0) }
      : {
          type: 'STATE_DELTA',
          delta: [
            { op: 'replace', path: '/step', value: turn },
            {
              op: 'add',
              path: `/notes/${turn}`,
              value: stateOf(turn).notes[turn],
            },
          ],
        };
    yield { type: 'CUSTOM', ...ACTIVITY };
  }
}
