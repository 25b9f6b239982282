import { isDeepStrictEqual } from 'node:util';
import type { Received } from '../../support/client.js';
import { pieceOf, type Script } from './scripted-agent.js';

/** Looks at the stream of one scripted run as it comes: every event has to be there, once, in its place. */
export class StreamCheck {
  /** What is wrong with the stream, if anything is. */
  fault: string | undefined;
  /** How many events came. */
  events = 0;
  private rest = '';
  private messageId: unknown;

  constructor(
    private readonly run: { threadId: string; runId: string },
    private readonly script: Script,
  ) {}

  take(text: string): void {
    const frames = (this.rest + text).split('\n\n');
    this.rest = frames.pop()!;
    for (const frame of frames) if (frame !== ': keep-alive') this.check(frame);
  }

  /** The stream has ended. */
  end(): void {
    const { pieces = 0 } = this.script;
    const whole = pieces === 0 ? 2 : pieces + 4;
    if (this.rest !== '') this.fail(`it ended in mid-frame: ${this.rest}`);
    if (this.events !== whole)
      this.fail(`${this.events} of ${whole} events came`);
  }

  fail(what: string): void {
    this.fault ??= `${this.run.runId}: ${what.slice(0, 300)}`;
  }

  private check(frame: string): void {
    const index = this.events++;
    if (this.fault !== undefined) return;
    try {
      const event = JSON.parse(frame.slice('data: '.length)) as Received;
      const expected = this.expected(index, event);
      if (!frame.startsWith('data: ') || !isDeepStrictEqual(event, expected))
        this.fail(`event ${index} is ${frame}`);
    } catch {
      this.fail(`event ${index} is no JSON: ${frame}`);
    }
  }

  private expected(
    index: number,
    { messageId, timestamp }: Received,
  ): Received | undefined {
    const { pieces = 0, size } = this.script;
    const base = timestamp === undefined ? {} : { timestamp };
    if (index === 0)
      return {
        type: 'RUN_STARTED',
        ...this.run,
        ...base,
        protocolVersion: '1.0',
      };
    if (index === (pieces === 0 ? 1 : pieces + 3))
      return { type: 'RUN_FINISHED', ...this.run, ...base };
    this.messageId ??= messageId;
    const message = { messageId: this.messageId, ...base };
    if (index === 1)
      return { type: 'TEXT_MESSAGE_START', ...message, role: 'assistant' };
    if (index === pieces + 2) return { type: 'TEXT_MESSAGE_END', ...message };
    const delta = pieceOf(index - 2, size);
    return { type: 'TEXT_MESSAGE_CONTENT', ...message, delta };
  }
}
