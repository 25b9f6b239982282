import type { AgentEvent, ConfirmResult } from '../agent/agent-event.js';
import type {
  ContentBlock,
  Msg,
  ToolResultBlock,
  ToolUseBlock,
} from '../agent/msg.js';
import { CONFIRM_RESULTS } from '../adapter/resume-converter.js';
import type { RunTools } from './run-tools.js';
import { blocksOf, publicText, reported } from './tool-report.js';

/** The conversation once the user's answers have been acted upon. */
export interface AnsweredConversation {
  msgs: Msg[];
  /** What the client has to hear of it. */
  events: AgentEvent[];
}

interface Answer {
  call: ToolUseBlock;
  /** For the model. */
  result: ToolResultBlock;
  /** For the client, where it must not read what the model reads. */
  shown?: ContentBlock[];
}

/**
 * Acts upon the answers that a resumed run brings: approved calls run, with the arguments that the
 * server recorded or the user edited; refused ones do not. What an answer says of a call stands
 * above whatever result the client's history has for it.
 */
export async function actUponAnswers(
  msgs: readonly Msg[],
  tools: RunTools,
  replyId: string,
): Promise<AnsweredConversation> {
  const answers: Answer[] = [
    ...msgs.flatMap(broughtResults),
    ...(await Promise.all(
      msgs.flatMap(confirmResultsOf).map((confirm) => answerTo(confirm, tools)),
    )),
  ];
  if (answers.length === 0) return { msgs: [...msgs], events: [] };
  return {
    msgs: withAnswers(msgs, answers),
    events: answers.flatMap(({ call, result, shown }) => [
      ...reported(
        { replyId, toolCallId: call.id, toolCallName: call.name },
        shown ?? result.output,
        result.state,
      ),
    ]),
  };
}

async function answerTo(
  { confirmed, toolCall: call, reason }: ConfirmResult,
  tools: RunTools,
): Promise<Answer> {
  if (!confirmed)
    return {
      call,
      result: resultOf(call, 'denied', refusal(call, reason)),
    };
  try {
    const output = await tools.executeApproved(call);
    return {
      call,
      result: { ...resultOf(call, 'success', ''), output: blocksOf(output) },
    };
  } catch (error) {
    const told = error instanceof Error ? error.message : String(error);
    return {
      call,
      result: resultOf(call, 'error', told),
      shown: [
        { type: 'text', text: publicText({ toolCallName: call.name }, error) },
      ],
    };
  }
}

function refusal({ name }: ToolUseBlock, reason: string | undefined): string {
  const because = reason ? ` The user's reason: ${reason}` : '';
  return `The user refused this call: "${name}" did not run and nothing was done.${because}`;
}

/** Results that the resumed run brings for tools which are executed elsewhere. */
function broughtResults({ content, metadata }: Msg): Answer[] {
  if (metadata?.['agui.interruptId'] === undefined) return [];
  return content
    .filter((block) => block.type === 'tool_result')
    .map((result) => ({
      result,
      call: {
        type: 'tool_use',
        id: result.id,
        name: result.name,
        input: {},
        content: '{}',
      },
    }));
}

function confirmResultsOf({ metadata }: Msg): ConfirmResult[] {
  return (metadata?.[CONFIRM_RESULTS] ?? []) as ConfirmResult[];
}

function withAnswers(msgs: readonly Msg[], answers: readonly Answer[]): Msg[] {
  const byCall = new Map(answers.map((answer) => [answer.call.id, answer]));
  const known = new Set<string>();
  const history = msgs
    .filter(({ metadata }) => metadata?.['agui.interruptId'] === undefined)
    .map((msg) => ({
      ...msg,
      content: msg.content
        .filter(
          (block) => block.type !== 'tool_result' || !byCall.has(block.id),
        )
        .map((block) => {
          const answer =
            block.type === 'tool_use' ? byCall.get(block.id) : undefined;
          if (answer === undefined) return block;
          known.add(answer.call.id);
          return answer.call.content === '{}' ? block : answer.call;
        }),
    }));
  // The client may keep no history; the server's record has the call.
  const missing = answers.filter(({ call }) => !known.has(call.id));
  return [
    ...history,
    ...missing.map(({ call }): Msg => ({
      id: `${call.id}-call`,
      role: 'assistant',
      content: [call],
    })),
    ...answers.map(({ result }): Msg => ({
      id: `${result.id}-result`,
      role: 'tool',
      content: [result],
    })),
  ];
}

function resultOf(
  { id, name }: ToolUseBlock,
  state: ToolResultBlock['state'],
  text: string,
): ToolResultBlock {
  return {
    type: 'tool_result',
    id,
    name,
    output: [{ type: 'text', text }],
    state,
  };
}
