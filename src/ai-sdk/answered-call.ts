import type { ConfirmResult } from '../agent/agent-event.js';
import type {
  ContentBlock,
  Msg,
  ToolResultBlock,
  ToolUseBlock,
} from '../agent/msg.js';
import { CONFIRM_RESULTS } from '../adapter/resume-converter.js';

/** A call that a resumed run answers. */
export interface AnsweredCall {
  call: ToolUseBlock;
  /** What the model reads. */
  result: ToolResultBlock;
  /** What the client reads, where it must not read the same. */
  shown?: ContentBlock[];
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

/** The user's decisions that the messages bring. */
export function confirmResultsIn(msgs: readonly Msg[]): ConfirmResult[] {
  return msgs.flatMap(
    ({ metadata }) => (metadata?.[CONFIRM_RESULTS] ?? []) as ConfirmResult[],
  );
}

/** Results that the messages bring for calls which are executed elsewhere. */
export function broughtResultsIn(msgs: readonly Msg[]): AnsweredCall[] {
  return msgs
    .filter(isAnswer)
    .flatMap(({ content }) =>
      content
        .filter((block) => block.type === 'tool_result')
        .map((result) => ({ result, call: unknownCall(result) })),
    );
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

const UNKNOWN = '';

/** Somebody else's call, of which only the result is here. */
function unknownCall({ id }: ToolResultBlock): ToolUseBlock {
  return { type: 'tool_use', id, name: UNKNOWN, input: {}, content: '{}' };
}

function callMsg({ call, result }: AnsweredCall): Msg {
  return {
    id: `${call.id}-call`,
    role: 'assistant',
    content: [{ ...call, name: result.name }],
  };
}

function resultMsg({ result }: AnsweredCall): Msg {
  return { id: `${result.id}-result`, role: 'tool', content: [result] };
}

function isAnswer({ metadata }: Msg): boolean {
  return metadata?.['agui.interruptId'] !== undefined;
}
