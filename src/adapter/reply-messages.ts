/**
 * The AG-UI messages of one reply. An agent's reply may go text – tool call – result – text; clients
 * want a message of its own for each stretch, so ids are the reply's id, then the reply's id with a
 * number. Calls of one turn share the assistant message that carries them.
 */
export class ReplyMessages {
  private current: string | undefined;
  private hasText = false;
  private hasCalls = false;
  /** Open text blocks, and open thinking blocks, with the ids of their messages. */
  readonly texts = new Map<string | undefined, string>();
  readonly thoughts = new Map<string | undefined, string>();

  /** @param mint makes an id that no message of the thread has. */
  constructor(
    private readonly replyId: string,
    private readonly mint: (wish: string) => string,
  ) {}

  /** The id of a new text message. */
  nextText(): string {
    if (this.hasText || this.hasCalls) this.seal();
    this.hasText = true;
    return this.message();
  }

  /** The id of a new reasoning message, which ends the assistant message before it. */
  nextThought(): string {
    this.seal();
    return this.mint(`${this.replyId}-reasoning`);
  }

  /** The id of the assistant message that carries the next tool call. */
  callParent(): string {
    this.hasCalls = true;
    return this.message();
  }

  /** What comes next belongs to another assistant message. */
  seal(): void {
    if (!this.hasText && !this.hasCalls) return;
    this.current = undefined;
    this.hasText = false;
    this.hasCalls = false;
  }

  private message(): string {
    return (this.current ??= this.mint(this.replyId));
  }
}
