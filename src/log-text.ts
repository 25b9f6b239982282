const LONGEST = 100;
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
