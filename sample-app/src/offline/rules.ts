import type { Conversation } from './conversation.js';
import { choice } from './choice-rule.js';
import { recipeRule } from './recipe-rule.js';
import { SHOWS } from './show-rules.js';
import type { Rule } from './turn.js';

/** In their order; the first that knows what to do decides. */
export const RULES: readonly Rule[] = [
  recipeRule,
  research,
  email,
  weather,
  background,
  choice,
  arithmetic,
  time,
  findings,
  ...SHOWS,
];

function weather(conversation: Conversation) {
  const city = /weather (?:in|for|at) ([\p{L}][\p{L} .'-]*)/iu
    .exec(conversation.question)?.[1]
    ?.trim();
  if (!city || !conversation.tool('get_weather')) return undefined;
  return {
    thinking: 'Somebody asks for the weather, so I look it up.',
    calls: [{ name: 'get_weather', args: { city } }],
  };
}

function background(conversation: Conversation) {
  const colour = /background\s+(?:colou?r\s+)?(?:to\s+)?([\w#-]+)/i.exec(
    conversation.question,
  )?.[1];
  const change = conversation.tool('change_background');
  if (colour === undefined || change === undefined) return undefined;
  const [parameter = 'background'] = Object.keys(
    change.inputSchema.properties ?? {},
  );
  return {
    thinking: 'The front end can change its background, so I ask it to.',
    calls: [{ name: change.name, args: { [parameter]: colour } }],
  };
}

function arithmetic(conversation: Conversation) {
  const expression = expressionIn(conversation.question);
  if (expression === undefined || !conversation.tool('calculate'))
    return undefined;
  return {
    thinking: 'This is arithmetic, which I leave to the calculator.',
    calls: [{ name: 'calculate', args: { expression } }],
  };
}

/** The first thing in a text that can be calculated. In one pass: texts may be long. */
function expressionIn(text: string): string | undefined {
  for (const [run] of text.matchAll(/[\d\s.()+\-*/%^]+/g)) {
    const first = run.search(/[(\d]/);
    const last = Math.max(run.lastIndexOf(')'), run.search(/\d\D*$/));
    const start = run[first - 1] === '-' ? first - 1 : first;
    const expression = first < 0 ? '' : run.slice(start, last + 1);
    if (/[\d)]\s*[-+*/%^]/.test(expression)) return expression;
  }
  return undefined;
}

function time(conversation: Conversation) {
  const asked = /what time|current time|the time\b/i.test(
    conversation.question,
  );
  if (!asked || !conversation.tool('get_current_time')) return undefined;
  return {
    thinking: 'I have no clock of my own, so I ask for the time.',
    calls: [{ name: 'get_current_time', args: {} }],
  };
}

function email(conversation: Conversation) {
  const to = /e-?mail\s+(?:to\s+)?(\S+@\S+?)[.,;!?]?(?:\s|$)/i.exec(
    conversation.question,
  )?.[1];
  if (to === undefined || !conversation.tool('send_email')) return undefined;
  return {
    thinking: 'Sending an email needs consent; the user will be asked.',
    calls: [
      {
        name: 'send_email',
        args: {
          to,
          subject: 'Hello',
          body: 'This is a message from the sample.',
        },
      },
    ],
  };
}

function research(conversation: Conversation) {
  const researchers = ['web_researcher', 'library_researcher'];
  if (!researchers.every((name) => conversation.tool(name))) return undefined;
  const task = conversation.question;
  return {
    thinking: 'Two researchers can look at this at the same time.',
    calls: researchers.map((name) => ({ name, args: { task } })),
  };
}

/** What a researcher of the research agent comes back with. */
function findings(conversation: Conversation) {
  const place = /You research in ([\w ]+)\./.exec(conversation.system)?.[1];
  if (place === undefined) return undefined;
  return {
    text: `In ${place} there is much about "${conversation.question}".`,
  };
}
