const LONGEST = 100;
/** How many names one line lists. */
const MAX_LISTED = 20;
// Also what JSON leaves as it is: terminals may take it for commands.
const CONTROL = /[\p{Cc}\u2028\u2029]/gu;

/** A text that others had a hand in, as one line of a log: it cannot end the line. */
export function oneLine(text: string): string {
  return text.replace(
    CONTROL,
    (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** A client's name for something, in a log line: in quotes, and not too long. */
export function quoted(name: string): string {
  const short = name.length > LONGEST ? `${name.slice(0, LONGEST)}…` : name;
  return oneLine(JSON.stringify(short));
}

/** Clients' names for things, in a log line: the first of them, each {@link quoted}, and how many more there are. */
export function listed(names: readonly string[]): string {
  const first = names.slice(0, MAX_LISTED).map(quoted).join(', ');
  const more = names.length - MAX_LISTED;
  return more > 0 ? `${first} and ${more} more` : first;
}
