import { MAX_VALUES, TOO_MANY_VALUES } from '../protocol/run-agent-input.js';
import { invalidInput } from './body-problem.js';

/** A value has a comma behind it, or a bracket in front of it, or both. */
const MAX_SIGNS = 2 * MAX_VALUES;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const BRACKET = 0x5b;
const BRACE = 0x7b;

/**
 * Counts the values of a JSON text while it arrives. A parser is busy for seconds with some megabytes of
 * brackets, and nobody can stop it.
 */
export class ValueCounter {
  private signs = 0;
  private inString = false;
  private escaped = false;

  /** @returns what the client is told of too many values. */
  add(text: Uint8Array): ReturnType<typeof invalidInput> | undefined {
    let at = this.escaped && text.length > 0 ? 1 : 0;
    if (at > 0) this.escaped = false;
    while (at < text.length)
      at = this.inString ? this.skipString(text, at) : this.look(text, at);
    return this.signs > MAX_SIGNS
      ? invalidInput('The run input is not valid.', [TOO_MANY_VALUES])
      : undefined;
  }

  private look(text: Uint8Array, at: number): number {
    const sign = text[at];
    if (sign === QUOTE) this.inString = true;
    else if (sign === COMMA || sign === BRACKET || sign === BRACE) this.signs++;
    return at + 1;
  }

  /** A body is mostly strings; `indexOf` passes them much faster than a loop. */
  private skipString(text: Uint8Array, from: number): number {
    const quote = text.indexOf(QUOTE, from);
    const end = quote < 0 ? text.length : quote;
    let before = end;
    while (before > from && text[before - 1] === BACKSLASH) before--;
    const isEscaped = (end - before) % 2 === 1;
    if (quote < 0) this.escaped = isEscaped;
    else if (!isEscaped) this.inString = false;
    return end + 1;
  }
}
