import {
  textOf,
  type AgentTool,
  type Msg,
  type ToolResultBlock,
} from 'nestjs-agui';
import { speak } from './speak.js';
import type { Turn } from './turn.js';

type Rule = (text: string, tools: ToolFinder) => Turn | undefined;
type ToolFinder = (name: string) => AgentTool | undefined;

/** In their order; the first that knows what to do decides. */
const RULES: readonly Rule[] = [
  (text, tool) => {
    const city = /weather (?:in|for|at) ([\p{L}][\p{L} .'-]*)/iu.exec(
      text,
    )?.[1];
    if (city === undefined || !tool('get_weather')) return undefined;
    return {
      thinking: `Somebody asks for the weather, so I look it up.`,
      calls: [{ name: 'get_weather', args: { city: city.trim() } }],
    };
  },
  (text, tool) => {
    const colour = /background\s+(?:colou?r\s+)?(?:to\s+)?([\w#-]+)/i.exec(
      text,
    )?.[1];
    const change = tool('change_background');
    if (colour === undefined || !change) return undefined;
    return {
      thinking: 'The front end can change its background, so I ask it to.',
      calls: [
        { name: change.name, args: { [firstParameter(change)]: colour } },
      ],
    };
  },
  (text, tool) => {
    const expression = /-?[(\d][\d\s.()+\-*/%^]*[\d)]/.exec(text)?.[0].trim();
    if (!expression || !/[\d)]\s*[-+*/%^]/.test(expression)) return undefined;
    if (!tool('calculate')) return undefined;
    return {
      thinking: 'This is arithmetic, which I leave to the calculator.',
      calls: [{ name: 'calculate', args: { expression } }],
    };
  },
  (text, tool) =>
    /what time|current time|the time\b/i.test(text) && tool('get_current_time')
      ? {
          thinking: 'I have no clock of my own, so I ask for the time.',
          calls: [{ name: 'get_current_time', args: {} }],
        }
      : undefined,
];

/** Decides what to do about a conversation: the same every time, without any model. */
export function planTurn(messages: readonly Msg[], tools: ToolFinder): Turn {
  const results = trailingResults(messages);
  if (results.length > 0) return { text: results.map(speak).join(' ') };
  const asked = messages.findLast(({ role }) => role === 'user');
  const text = asked === undefined ? '' : textOf(asked);
  for (const rule of RULES) {
    const turn = rule(text, tools);
    if (turn !== undefined) return turn;
  }
  return {
    thinking: `The message has ${text.length} characters and asks for none of my tools, so I simply answer.`,
    text: text
      ? `You said: "${text}". Ask me for the weather in Paris, or for 2 + 3 * 4.`
      : 'Hello! Ask me for the weather in Paris, or for 2 + 3 * 4.',
  };
}

/** The results that have come in since the last word was spoken. */
function trailingResults(messages: readonly Msg[]): ToolResultBlock[] {
  const results: ToolResultBlock[] = [];
  for (const message of [...messages].reverse()) {
    const blocks = message.content.filter(({ type }) => type === 'tool_result');
    if (blocks.length === 0) break;
    results.unshift(...(blocks as ToolResultBlock[]));
  }
  return results;
}

function firstParameter({ parameters }: AgentTool): string {
  const properties = (parameters as { properties?: object } | undefined)
    ?.properties;
  return Object.keys(properties ?? {})[0] ?? 'background';
}
