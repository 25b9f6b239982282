import { inspect } from 'node:util';
import { oneLine } from './log-text.js';

/** The AI SDK's errors whose message quotes what a model or a tool has said. */
const QUOTING =
  /^AI_(InvalidToolInput|JSONParse|ToolCallRepair|TypeValidation)Error$/;
/** What others of its errors begin with, if nobody has put them into words. */
const QUOTE = 'Invalid response data: ';

/** The text of anything that was thrown. It does not throw itself, whatever the value does when it is looked at. */
export function messageOf(thrown: unknown): string {
  try {
    return String(thrown instanceof Error ? thrown.message : thrown);
  } catch {
    return 'An error that cannot be shown.';
  }
}

/** The text of anything that was thrown, in one line of a log, and without what is known to quote a conversation. */
export function loggedMessageOf(thrown: unknown): string {
  return oneLine(tellableMessageOf(thrown));
}

/** What the log says of anything that was thrown: where it comes from, and what caused it. */
export function detailsOf(thrown: unknown): string {
  try {
    if (!(thrown instanceof Error)) return inspect(thrown);
    const { cause } = thrown;
    const own = stackOf(thrown);
    return cause === undefined || isQuoting(thrown)
      ? own
      : `${own}\n[cause]: ${detailsOf(cause)}`;
  } catch {
    return loggedMessageOf(thrown);
  }
}

/** The stack; no line of the message in it looks like a line of the log. */
function stackOf(error: Error): string {
  const { stack = '', message } = error;
  const told = tellableMessageOf(error).split('\n').map(oneLine).join('\n  ');
  const at = message === '' ? -1 : stack.indexOf(message);
  if (at >= 0)
    return stack.slice(0, at) + told + stack.slice(at + message.length);
  return stack === '' || isQuoting(error) ? told : stack;
}

function tellableMessageOf(thrown: unknown): string {
  try {
    if (isQuoting(thrown))
      return `${thrown.name} (its message quotes the conversation)`;
  } catch {
    // Whatever cannot be looked at quotes nothing.
  }
  return messageOf(thrown);
}

/** Whether an error's message has words of the conversation in it: its own, or those of its cause. */
function isQuoting(thrown: unknown): thrown is Error {
  if (!(thrown instanceof Error)) return false;
  const { name, message, cause } = thrown;
  return (
    QUOTING.test(name) ||
    message.startsWith(QUOTE) ||
    (cause instanceof Error &&
      message.includes(cause.message) &&
      isQuoting(cause))
  );
}
