import type { Conversation } from './conversation.js';
import type { Rule, Turn } from './turn.js';

const MARKDOWN = `## What Markdown can do

Text may be **bold**, *italic* or \`code\`, and it may [link](https://docs.ag-ui.com).

1. Lists have numbers
2. or they have none:
   - like this
   - and that

| event | what it is |
| --- | --- |
| \`TEXT_MESSAGE_CONTENT\` | a piece of text |
| \`STATE_DELTA\` | a change of the shared state |

\`\`\`ts
@AguiAgent('greeting')
export class GreetingAgent implements Agent {}
\`\`\`

> All of it came word by word.`;

const SENTENCE =
  'Once there was a word that went out to find the others, and every time it found one they went on together.';

const STORY = Array.from(
  { length: 12 },
  (_, n) => `Chapter ${n + 1}. ${SENTENCE}`,
).join('\n\n');

/** What is there to be looked at. */
export const SHOWS: readonly Rule[] = [
  show(/\bmarkdown\b/i, {
    thinking: 'Somebody wants to see how text is laid out.',
    text: MARKDOWN,
  }),
  show(/\btell (?:me )?a story\b/i, {
    thinking: 'A story should be long enough to be stopped.',
    text: STORY,
  }),
  show(/\bfail on purpose\b/i, {
    thinking: 'Somebody wants to see what a failure looks like.',
    text: 'This is going to go wrong …',
    failure: 'The offline model was asked to fail.',
  }),
];

function show(pattern: RegExp, turn: Turn): Rule {
  return ({ question }: Conversation) =>
    pattern.test(question) ? turn : undefined;
}
