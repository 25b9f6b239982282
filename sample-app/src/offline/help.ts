/** What can be asked of whoever has a tool. */
const EXAMPLES: Readonly<Record<string, string>> = {
  get_weather: 'for the weather in Paris',
  calculate: 'for 2 + 3 * 4',
  get_current_time: 'what time it is',
  send_email: 'to email ada@example.com',
  update_state: 'for a recipe for tomato soup',
  web_researcher: 'to research the moon',
  change_background: 'for the background blue',
  choose_option: 'to let you choose between tea and coffee',
};

/** What may be asked of an agent with these tools. */
export function helpFor(tools: readonly string[]): string {
  const examples = tools.flatMap((name) => EXAMPLES[name] ?? []);
  if (examples.length === 0) return 'I have no tools, but I like to talk.';
  const last = examples.pop()!;
  return examples.length === 0
    ? `Ask me ${last}.`
    : `Ask me ${examples.join(', ')} or ${last}.`;
}
