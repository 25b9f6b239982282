type Frame = string | Uint8Array;

/** How many characters or bytes wait for company at most. */
const LARGEST = 64 * 1024;

/**
 * Frames that become ready in one turn of the event loop, in one write. The first one of a quiet
 * stream leaves at once.
 */
export class FrameBatch {
  private waiting: Frame[] = [];
  private size = 0;
  private inTurn = false;

  /** @param write takes what leaves. */
  constructor(private readonly write: (frames: Frame) => void) {}

  add(frame: Frame): void {
    if (!this.inTurn) {
      this.inTurn = true;
      process.nextTick(() => this.endTurn());
      return this.write(frame);
    }
    this.waiting.push(frame);
    this.size += frame.length;
    if (this.size >= LARGEST) this.flush();
  }

  /** What waits, which does so no longer. */
  take(): Frame | undefined {
    const frames = this.waiting;
    if (frames.length === 0) return undefined;
    this.waiting = [];
    this.size = 0;
    return joined(frames);
  }

  private flush(): void {
    const frames = this.take();
    if (frames !== undefined) this.write(frames);
  }

  private endTurn(): void {
    this.inTurn = false;
    this.flush();
  }
}

/** A stream's frames are all text, or all bytes. */
function joined(frames: readonly Frame[]): Frame {
  return typeof frames[0] === 'string'
    ? frames.join('')
    : Buffer.concat(frames as readonly Uint8Array[]);
}
