import type { AgentEvent, ConfirmResult } from '../agent/agent-event.js';
import { AnswerClaims } from '../agent/answer-claims.js';
import type { Msg, ToolUseBlock } from '../agent/msg.js';
import type { RuntimeContext } from '../agent/runtime-context.js';
import {
  broughtResultsIn,
  confirmResultsIn,
  refused,
  resultOf,
  withAnswers,
  type AnsweredCall,
} from './answered-call.js';
import { asCompleted } from './as-completed.js';
import type { EventChannel } from './event-channel.js';
import type { RunTools } from './run-tools.js';
import { blocksOf, publicText, reported } from './tool-report.js';

/**
 * Acts upon the answers that a resumed run brings: approved calls run, with the arguments that the
 * server recorded or the user edited; refused ones do not. Each is done once, whoever asks again.
 *
 * @returns the conversation with the answers in it.
 */
export async function* actUponAnswers(
  msgs: readonly Msg[],
  tools: RunTools,
  context: RuntimeContext,
  channel: EventChannel<AgentEvent>,
  replyId: string,
): AsyncGenerator<AgentEvent, Msg[]> {
  const answers: AnsweredCall[] = [];
  const coming = [
    ...broughtResultsIn(msgs).map((brought) => Promise.resolve(brought)),
    ...confirmResultsIn(msgs).map((confirm) =>
      answerTo(confirm, tools, context),
    ),
  ];
  yield* channel.merge(
    asCompleted(coming),
    ({ call, result, shown, ...rest }) => {
      answers.push({ call, result, ...rest });
      return reported(
        { replyId, toolCallId: call.id, toolCallName: result.name },
        shown ?? result.output,
        result.state,
      );
    },
  );
  return withAnswers(msgs, answers);
}

async function answerTo(
  confirm: ConfirmResult,
  tools: RunTools,
  context: RuntimeContext,
): Promise<AnsweredCall> {
  const { confirmed, toolCall: call } = confirm;
  const claimed = (await context.get(AnswerClaims)?.claim(call.id)) ?? true;
  if (!claimed) return alreadyDone(call);
  if (!confirmed) return refused(confirm);
  try {
    const output = await tools.executeApproved(call);
    return { call, result: resultOf(call, 'success', blocksOf(output)) };
  } catch (error) {
    const told = error instanceof Error ? error.message : String(error);
    const shown = publicText({ toolCallName: call.name }, error);
    return {
      call,
      result: resultOf(call, 'error', told),
      shown: [{ type: 'text', text: shown }],
    };
  }
}

function alreadyDone(call: ToolUseBlock): AnsweredCall {
  const text = `"${call.name}" was decided about before; it did not run again.`;
  return { call, result: resultOf(call, 'error', text) };
}
