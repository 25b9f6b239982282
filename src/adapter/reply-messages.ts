/** A block's id; undefined if the agent has one block at a time. */
type BlockId = string | undefined;

/**
 * The AG-UI messages of one reply. An agent's reply may go text – tool call – result – text; clients
 * want a message of its own for each stretch, so ids are the reply's id, then the reply's id with a
 * number. Calls of one turn share the assistant message that carries them.
 */
export class ReplyMessages {
  private current: string | undefined;
  private hasText = false;
  private hasCalls = false;
  private turnsAreTold = false;
  /** Open text blocks, and open thinking blocks, with the ids of their messages. */
  readonly texts = new Map<BlockId, string>();
  readonly thoughts = new Map<BlockId, string>();
  /** Thinking blocks whose messages had to end before the blocks did. */
  readonly cutShort = new Map<BlockId, string>();

  /** @param mint makes an id that no message of the thread has. */
  constructor(
    private readonly replyId: string,
    private readonly mint: (wish: string) => string,
  ) {}

  /** The id of a new text message. */
  nextText(): string {
    this.seal();
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

  /** The model is called: what comes next belongs to another assistant message. */
  beginTurn(): void {
    this.turnsAreTold = true;
    this.seal();
  }

  /** A call was answered. That ends the turn, unless the agent tells itself when the next one begins. */
  answered(): void {
    if (!this.turnsAreTold) this.seal();
  }

  private seal(): void {
    if (!this.hasText && !this.hasCalls) return;
    this.current = undefined;
    this.hasText = false;
    this.hasCalls = false;
  }

  private message(): string {
    return (this.current ??= this.mint(this.replyId));
  }
}
