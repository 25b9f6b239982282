import type { Result } from './conversation.js';

/** How results are told, with their members in place of the names in braces. */
const SENTENCES: Readonly<Record<string, string>> = {
  get_weather:
    'The weather in {city} is {condition} at {temperature} °C, with {humidity} % humidity.',
  calculate: '{expression} = {result}',
  get_current_time: 'It is {time} ({timeZone}).',
  update_state: 'I have changed the recipe.',
  choose_option: 'You have chosen {choice}. A good choice!',
};

/** Puts a tool's result into words. */
export function speak({ name, text, failed }: Result): string {
  if (failed) return `The tool ${name} did not work: ${text}`;
  if (name === 'web_researcher') return `The web says: ${text}`;
  if (name === 'library_researcher') return `The library says: ${text}`;
  const sentence = SENTENCES[name];
  if (sentence === undefined) return `Done: ${text}`;
  return (
    filled(sentence, text) ??
    `The tool ${name} gave what I cannot read: ${text}`
  );
}

/** The sentence with a result's members; undefined if the result does not have them all. */
function filled(sentence: string, text: string): string | undefined {
  const members = membersOf(text);
  let complete = true;
  const told = sentence.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = members.get(name);
    complete &&= typeof value === 'string' || typeof value === 'number';
    return String(value);
  });
  return complete ? told : undefined;
}

function membersOf(text: string): Map<string, unknown> {
  try {
    return new Map(Object.entries((JSON.parse(text) ?? {}) as object));
  } catch {
    return new Map();
  }
}
