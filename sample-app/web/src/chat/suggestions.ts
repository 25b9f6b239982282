/** What an agent of the sample is for, and what can be asked of it. */
export interface Introduction {
  text: string;
  suggestions: readonly string[];
}

const INTRODUCTIONS: Readonly<Record<string, Introduction>> = {
  default: {
    text: 'Uses its own tools and those of this page.',
    suggestions: [
      'weather in Paris',
      '2 + 3 * 4',
      'background lightblue',
      'let me choose between tea, coffee and cocoa',
    ],
  },
  chat: {
    text: 'Just talks, in Markdown. Files can be attached.',
    suggestions: ['show me Markdown', 'tell me a story', 'fail on purpose'],
  },
  calculator: {
    text: 'Has one tool, which may fail.',
    suggestions: ['(1 + 2) ^ 3', '1/0'],
  },
  approval: {
    text: 'Sends emails, each after your consent.',
    suggestions: ['email ada@example.com'],
  },
  recipe: {
    text: 'Writes a recipe with you: both of you change the same state.',
    suggestions: [
      'a recipe for tomato soup',
      'add basil and garlic',
      'remove salt',
    ],
  },
  research: {
    text: 'Has two subagents look at a question at the same time.',
    suggestions: ['research the moon'],
  },
  progress: {
    text: 'Has no model: it works in steps and tells of them by events.',
    suggestions: ['count the words of this message'],
  },
};

export function introductionOf(agentId: string): Introduction {
  return INTRODUCTIONS[agentId] ?? { text: '', suggestions: ['Hello!'] };
}
