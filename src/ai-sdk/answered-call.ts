import { CONFIRM_RESULTS, INTERRUPT_ID } from '../adapter/answer-metadata.js';
import { resumeMessages } from '../adapter/resume-converter.js';
import { argumentsOf } from '../adapter/tool-arguments.js';
import type { ConfirmResult } from '../agent/agent-event.js';
import type {
  ContentBlock,
  Msg,
  ToolResultBlock,
  ToolUseBlock,
} from '../agent/msg.js';
import type { RuntimeContext } from '../agent/runtime-context.js';

/** A call that a resumed run answers. */
export interface AnsweredCall {
  call: ToolUseBlock;
  /** What the model reads. */
  result: ToolResultBlock;
  /** What the client reads, where it must not read the same. */
  shown?: ContentBlock[];
}

/** What a resumed run is told. */
export interface Answers {
  /** The user's decisions about calls. */
  decisions: ConfirmResult[];
  /** Results of calls that were executed elsewhere. */
  results: AnsweredCall[];
}

/**
 * The answers among the messages, as the server's record has them: what a message says of itself, a
 * client may have written.
 */
export function answersAmong(
  msgs: readonly Msg[],
  context: RuntimeContext,
): Answers {
  const recorded = context.get('agui.resume.interrupts') ?? [];
  const given = new Set(msgs.map(({ id }) => id));
  const answers = resumeMessages(
    context.get('agui.resume') ?? [],
    recorded,
  ).filter(({ id }) => given.has(id));
  return {
    decisions: answers.flatMap(
      ({ metadata }) => (metadata?.[CONFIRM_RESULTS] ?? []) as ConfirmResult[],
    ),
    results: answers
      .flatMap(({ content }) => content)
      .filter((block) => block.type === 'tool_result')
      .map((result) => {
        const { id, name } = result;
        const { metadata } = recorded.find(
          (one) => (one.toolCallId ?? one.id) === id,
        )!;
        const { toolContent, toolInput } = metadata ?? {};
        const args = argumentsOf(toolContent, toolInput);
        return { result, call: { type: 'tool_use', id, name, ...args } };
      }),
  };
}

/** The result of a call that the user refused. */
export function refused({
  toolCall: call,
  reason,
}: ConfirmResult): AnsweredCall {
  const because = reason ? ` The user's reason: ${reason}` : '';
  const text = `The user refused this call: "${call.name}" did not run and nothing was done.${because}`;
  return { call, result: resultOf(call, 'denied', text) };
}

export function resultOf(
  { id, name }: ToolUseBlock,
  state: ToolResultBlock['state'],
  output: string | ContentBlock[],
): ToolResultBlock {
  return {
    type: 'tool_result',
    id,
    name,
    output:
      typeof output === 'string' ? [{ type: 'text', text: output }] : output,
    state,
  };
}

/** The calls that have no result among the messages. */
export function unansweredCalls(msgs: readonly Msg[]): ToolUseBlock[] {
  const blocks = msgs.flatMap(({ content }) => content);
  const answered = new Set(
    blocks.map((block) => block.type === 'tool_result' && block.id),
  );
  return blocks
    .filter((block) => block.type === 'tool_use')
    .filter(({ id }) => !answered.has(id));
}

/**
 * The conversation with the answers in it: in place of the messages that brought them, and of
 * whatever results the client's history has for these calls. A call that it does not have is taken
 * from the server's record.
 */
export function withAnswers(
  msgs: readonly Msg[],
  answers: readonly AnsweredCall[],
): Msg[] {
  const answerTo = new Map(answers.map((answer) => [answer.call.id, answer]));
  const missing = new Set(answerTo.keys());
  const history = msgs
    .filter((msg) => !isAnswer(msg))
    .map((msg) => ({
      ...msg,
      content: msg.content.flatMap((block): ContentBlock[] => {
        if (block.type === 'tool_result')
          return answerTo.has(block.id) ? [] : [block];
        if (block.type !== 'tool_use') return [block];
        missing.delete(block.id);
        const { call } = answerTo.get(block.id) ?? { call: block };
        return [call.name === UNKNOWN ? block : { ...block, ...call }];
      }),
    }));
  return [
    ...history,
    ...answers.filter(({ call }) => missing.has(call.id)).map(callMsg),
    ...answers.map(resultMsg),
  ];
}

/** The name of a call that an interrupt of another agent's does not tell. */
const UNKNOWN = 'unknown';

function callMsg({ call }: AnsweredCall): Msg {
  return { id: `${call.id}-call`, role: 'assistant', content: [call] };
}

function resultMsg({ result }: AnsweredCall): Msg {
  return { id: `${result.id}-result`, role: 'tool', content: [result] };
}

function isAnswer({ metadata }: Msg): boolean {
  return metadata?.[INTERRUPT_ID] !== undefined;
}
