import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { parseEvents, type Received } from '../../support/client.js';

interface Arrival extends Received {
  /** When it arrived. */
  at: number;
}

/** The events of a stream, with the times at which they arrived; those at which they were said are on them. */
export class Arrivals {
  readonly events: Arrival[] = [];
  /** Rejects if the stream broke off. */
  readonly ended: Promise<void>;
  private rest = '';

  constructor(stream: Readable) {
    stream.setEncoding('utf8');
    stream.on('data', (text: string) => this.take(text));
    this.ended = finished(stream, { writable: false });
    this.ended.catch(() => undefined);
  }

  /** How long an event was on its way at most, in milliseconds. */
  get longestWay(): number {
    return Math.max(...this.events.map((event) => event.at - saidAt(event)));
  }

  /** The pieces of text that arrived only when the next one had been said. */
  lateByAnEvent(): Arrival[] {
    const pieces = this.events.filter(({ delta }) => delta !== undefined);
    return pieces.filter(({ at }, index) => {
      const next = pieces[index + 1];
      return next !== undefined && at >= saidAt(next);
    });
  }

  private take(text: string): void {
    this.rest += text;
    const end = this.rest.lastIndexOf('\n\n') + 2;
    for (const event of parseEvents(this.rest.slice(0, end)))
      this.events.push({ ...event, at: Date.now() });
    this.rest = this.rest.slice(end);
  }
}

function saidAt({ timestamp }: Received): number {
  return timestamp as number;
}
