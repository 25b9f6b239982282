import type { Conversation } from './conversation.js';
import type { Turn } from './turn.js';

/** Leaves a decision to the user, if the front end has a tool for that: `choose between … and …`. */
export function choice(conversation: Conversation): Turn | undefined {
  const listed = /\bchoose\s+(?:between|from)\s+(.+)/i.exec(
    conversation.question,
  )?.[1];
  if (listed === undefined || !conversation.tool('choose_option'))
    return undefined;
  const options = listed
    .split(/,|\band\b|\bor\b/)
    .map((one) => one.replace(/[.!?]/g, '').trim())
    .filter(Boolean);
  if (options.length < 2) return undefined;
  return {
    thinking: 'This is for the user to decide, so the front end has to ask.',
    calls: [
      {
        name: 'choose_option',
        args: { question: 'Which one shall it be?', options },
      },
    ],
  };
}
