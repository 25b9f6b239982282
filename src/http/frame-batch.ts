type Frame = string | Uint8Array;

/** How many characters or bytes wait for company at most. */
const LARGEST = 64 * 1024;

/**
 * Frames that become ready in one turn of the event loop leave in one write, as soon as nothing more
 * is ready.
 */
export class FrameBatch {
  private waiting: Frame[] = [];
  private size = 0;
  private scheduled = false;

  /** @param write takes what leaves; undefined if a turn that was announced brought nothing. */
  constructor(private readonly write: (frames: Frame | undefined) => void) {}

  add(frame: Frame): void {
    this.waiting.push(frame);
    this.size += frame.length;
    if (this.size >= LARGEST) this.write(this.take());
    else this.announce();
  }

  /** Writes when this turn is over, whether or not there is anything by then. */
  announce(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    // Behind all promises that are settled already.
    process.nextTick(() => {
      this.scheduled = false;
      this.write(this.take());
    });
  }

  /** What waits, which does so no longer. */
  take(): Frame | undefined {
    const frames = this.waiting;
    if (frames.length === 0) return undefined;
    this.waiting = [];
    this.size = 0;
    return frames.length === 1 ? frames[0] : joined(frames);
  }
}

/** A stream's frames are all text, or all bytes. */
function joined(frames: readonly Frame[]): Frame {
  return typeof frames[0] === 'string'
    ? frames.join('')
    : Buffer.concat(frames as readonly Uint8Array[]);
}
