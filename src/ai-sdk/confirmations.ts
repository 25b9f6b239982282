import { Logger } from '@nestjs/common';
import type { AgentEvent, ConfirmResult } from '../agent/agent-event.js';
import { AnswerClaims } from '../agent/answer-claims.js';
import type { Msg, ToolUseBlock } from '../agent/msg.js';
import type { RuntimeContext } from '../agent/runtime-context.js';
import {
  answersAmong,
  refused,
  resultOf,
  unansweredCalls,
  withAnswers,
  type AnsweredCall,
} from './answered-call.js';
import { asCompleted } from './as-completed.js';
import type { EventChannel } from './event-channel.js';
import { suspension } from './open-ends.js';
import type { RunTools } from './run-tools.js';
import { quoted } from '../log-text.js';
import { loggedMessageOf, messageOf } from '../thrown.js';
import { ToolDenied } from './tool-denied.js';
import { blocksOf, publicText, reported } from './tool-report.js';
import { ToolSuspend } from './tool-suspend.js';

const logger = new Logger('AiSdkAgent');

/** A call that has its result; one that somebody else executes after all; or nothing to be done. */
type Outcome =
  AnsweredCall | { call: ToolUseBlock; suspended: string } | undefined;

/**
 * Acts upon the answers that a resumed run brings: approved calls run, with the arguments that the
 * server recorded or the user edited; refused ones do not. Each is done once, whoever asks again.
 *
 * @returns the conversation with the answers in it; nothing while an approved call waits for its result.
 */
export async function* actUponAnswers(
  msgs: readonly Msg[],
  tools: RunTools,
  context: RuntimeContext,
  channel: EventChannel<AgentEvent>,
  replyId: string,
): AsyncGenerator<AgentEvent, Msg[]> {
  const answers: AnsweredCall[] = [];
  let waiting = false;
  const coming = outcomesFor(msgs, tools, context);
  yield* channel.merge(asCompleted(coming), (outcome) => {
    if (outcome === undefined) return [];
    const { call } = outcome;
    if ('suspended' in outcome) {
      waiting = true;
      return [suspension(call, replyId, outcome.suspended)];
    }
    const { result, shown = result.output } = outcome;
    answers.push(outcome);
    return reported(
      { replyId, toolCallId: call.id, toolCallName: call.name },
      shown,
      result.state,
    );
  });
  return waiting ? [] : withAnswers(msgs, answers);
}

function outcomesFor(
  msgs: readonly Msg[],
  tools: RunTools,
  context: RuntimeContext,
): Promise<Outcome>[] {
  const { decisions, results } = answersAmong(msgs, context);
  const answered = new Set([
    ...decisions.map(({ toolCall }) => toolCall.id),
    ...results.map(({ call }) => call.id),
  ]);
  return [
    ...results.map((result) => Promise.resolve(result)),
    ...decisions.map((decision) => answerTo(decision, tools, context)),
    ...unansweredCalls(msgs)
      .filter(({ id }) => !answered.has(id))
      .map(async (call) =>
        (await isFree(call, context)) ? undefined : alreadyDone(call),
      ),
  ];
}

async function answerTo(
  decision: ConfirmResult,
  tools: RunTools,
  context: RuntimeContext,
): Promise<Outcome> {
  const { confirmed, toolCall: call } = decision;
  // Whoever stopped the run may give the answer again.
  context.signal.throwIfAborted();
  if (!(await isFree(call, context))) return alreadyDone(call);
  if (!confirmed) return refused(decision);
  try {
    const output = await tools.executeApproved(call);
    return { call, result: resultOf(call, 'success', blocksOf(output)) };
  } catch (error) {
    return error instanceof ToolSuspend
      ? { call, suspended: error.message }
      : failed(call, error);
  }
}

/** Whether nobody has acted upon a call's answer before; from now on somebody has. */
async function isFree(
  { id }: ToolUseBlock,
  context: RuntimeContext,
): Promise<boolean> {
  return (await context.get(AnswerClaims)?.claim(id)) ?? true;
}

function failed(call: ToolUseBlock, error: unknown): AnsweredCall {
  const told = messageOf(error);
  if (error instanceof ToolDenied)
    return { call, result: resultOf(call, 'denied', told) };
  logger.warn(
    `The tool ${quoted(call.name)} failed: ${loggedMessageOf(error)}`,
  );
  const shown = publicText({ toolCallName: call.name }, error);
  return {
    call,
    result: resultOf(call, 'error', told),
    shown: [{ type: 'text', text: shown }],
  };
}

/** What a run was told that broke off before its result had arrived. */
function alreadyDone(call: ToolUseBlock): AnsweredCall {
  const text = `"${call.name}" was decided about before; it did not run again, and what came of it is not known here.`;
  return { call, result: resultOf(call, 'error', text) };
}
