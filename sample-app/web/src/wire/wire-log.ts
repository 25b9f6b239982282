import { dataOf, toFrames } from '../agent/frames';

/** Something that went over the wire: a request, or an event of the answer. */
export interface WireEntry {
  id: number;
  direction: 'out' | 'in';
  /** The event's type, or the request's path. */
  type: string;
  /** Milliseconds since the first entry. */
  time: number;
  bytes: number;
  json: string;
}

const LIMIT = 2_000;

/** Keeps what goes over the wire, just as it came. */
export class WireLog {
  private entries: readonly WireEntry[] = [];
  private readonly listeners = new Set<() => void>();
  private count = 0;
  private begin: number | undefined;

  readonly snapshot = () => this.entries;

  readonly subscribe = (listener: () => void) => {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  };

  clear(): void {
    this.begin = undefined;
    this.keep([]);
  }

  /** As `fetch`; what is sent and what comes is written down. */
  readonly fetch = async (
    url: string,
    init: RequestInit,
  ): Promise<Response> => {
    const body = typeof init.body === 'string' ? init.body : '';
    this.add('out', `${init.method} ${url}`, body, body);
    const response = await fetch(url, init);
    const isStream = response.headers
      .get('content-type')
      ?.startsWith('text/event-stream');
    if (!isStream || response.body === null) {
      const text = await response.text();
      this.add('in', `${response.status}`, text, text);
      return new Response(text, response);
    }
    const told = response.body
      .pipeThrough(new TextDecoderStream())
      .pipeThrough(toFrames())
      .pipeThrough(this.noted())
      .pipeThrough(new TextEncoderStream());
    return new Response(told, response);
  };

  private noted(): TransformStream<string, string> {
    return new TransformStream({
      transform: (frame, controller) => {
        const json = dataOf(frame);
        this.add('in', json ? typeOf(json) : 'comment', frame, json ?? frame);
        controller.enqueue(frame);
      },
    });
  }

  private add(
    direction: WireEntry['direction'],
    type: string,
    raw: string,
    json: string,
  ): void {
    const now = performance.now();
    this.begin ??= now;
    const entry: WireEntry = {
      id: this.count++,
      direction,
      type,
      time: now - this.begin,
      bytes: new TextEncoder().encode(raw).length,
      json,
    };
    this.keep([...this.entries.slice(-LIMIT + 1), entry]);
  }

  private keep(entries: readonly WireEntry[]): void {
    this.entries = entries;
    for (const listener of this.listeners) listener();
  }
}

function typeOf(json: string): string {
  return /"type":"(\w+)"/.exec(json)?.[1] ?? 'event';
}
