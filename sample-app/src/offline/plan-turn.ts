import type { Conversation } from './conversation.js';
import { helpFor } from './help.js';
import { RULES } from './rules.js';
import { speak } from './speak.js';
import type { Turn } from './turn.js';

/** How much of a message is repeated. */
const LONGEST = 500;

/** Decides what to do about a conversation: the same every time, without any model. */
export function planTurn(conversation: Conversation): Turn {
  const { results, question, attachments, toolNames } = conversation;
  if (results.length > 0) return { text: results.map(speak).join(' ') };
  for (const rule of RULES) {
    const turn = rule(conversation);
    if (turn !== undefined) return turn;
  }
  const files =
    attachments.length > 0 ? ` and sent ${attachments.join(', ')}` : '';
  return {
    thinking: `The message has ${question.length} characters and asks for none of my tools, so I simply answer.`,
    text: `${question ? `You said "${shortened(question)}"${files}.` : 'Hello!'} ${helpFor(toolNames)}`,
  };
}

function shortened(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
