import { inspect } from 'node:util';

/** The text of anything that was thrown. It does not throw itself, whatever the value does when it is looked at. */
export function messageOf(thrown: unknown): string {
  try {
    return String(thrown instanceof Error ? thrown.message : thrown);
  } catch {
    return 'An error that cannot be shown.';
  }
}

/** What the log says of anything that was thrown: where it comes from, and what caused it. */
export function detailsOf(thrown: unknown): string {
  try {
    if (!(thrown instanceof Error)) return inspect(thrown);
    const { stack, cause } = thrown;
    const own = stack ?? messageOf(thrown);
    return cause === undefined ? own : `${own}\n[cause]: ${detailsOf(cause)}`;
  } catch {
    return messageOf(thrown);
  }
}
