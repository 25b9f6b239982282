/** A stretch of a model's text: what it says, or what it thinks. */
export interface TextPiece {
  kind: 'text' | 'thinking';
  text: string;
}

const OPEN = '<think>';
const CLOSE = '</think>';

/**
 * Takes `<think>…</think>` out of streamed text (AgentScope: "Reasoning"). Tags may be cut anywhere
 * between chunks; an unclosed one ends with the text, a stray closing one is left out, a blank one
 * says nothing. Inside code (backticks) tags are text.
 */
export class ThinkTagSplitter {
  private held = '';
  private thinking = false;
  private behindThinking = false;
  /**
   * Whether the present stretch has said something, and what of it was not sent yet: blanks lead to
   * nothing by themselves.
   */
  private begun = false;
  private unsaid = '';
  /** The backticks that opened the code we are in, empty outside code; and those of the present run. */
  private fence = '';
  private ticks = '';

  /** What a chunk completes. */
  push(chunk: string): TextPiece[] {
    this.held += chunk;
    return this.take(false);
  }

  /** What is left when the text ends, or something else comes first. */
  end(): TextPiece[] {
    return this.take(true);
  }

  private take(final: boolean): TextPiece[] {
    const pieces: TextPiece[] = [];
    while (this.held !== '') {
      const length = this.step(final, pieces);
      if (length === 0) break;
      this.held = this.held.slice(length);
    }
    return pieces;
  }

  /** Deals with what stands first; 0 if more has to come before that can be told. */
  private step(final: boolean, pieces: TextPiece[]): number {
    const special = this.held.search(this.thinking ? /</ : /[<`\n]/);
    const plain = special < 0 ? this.held : this.held.slice(0, special);
    const first = this.held[plain.length];
    if (plain !== '' || first !== '`') this.endTicks();
    if (plain !== '') return this.say(plain, pieces);
    switch (first) {
      case '`':
        this.ticks += '`';
        return this.say('`', pieces);
      case '\n':
        // A single backtick that is never closed is no code.
        if (this.fence.length < 3) this.fence = '';
        return this.say('\n', pieces);
      default:
        return this.tag(final, pieces);
    }
  }

  private endTicks(): void {
    if (this.ticks === '') return;
    if (this.fence === '') this.fence = this.ticks;
    else if (this.fence === this.ticks) this.fence = '';
    this.ticks = '';
  }

  private tag(final: boolean, pieces: TextPiece[]): number {
    if (this.fence !== '') return this.say('<', pieces);
    for (const tag of this.thinking ? [CLOSE] : [OPEN, CLOSE]) {
      if (this.held.startsWith(tag)) {
        this.enter(tag === OPEN);
        return tag.length;
      }
      if (!final && tag.startsWith(this.held)) return 0;
    }
    return this.say('<', pieces);
  }

  private enter(thinking: boolean): void {
    this.behindThinking ||= this.thinking;
    this.thinking = thinking;
    this.begun = false;
    this.unsaid = '';
  }

  private say(text: string, pieces: TextPiece[]): number {
    this.unsaid += text;
    if (!this.begun && this.unsaid.trim() === '') return text.length;
    const trims = !this.begun && !this.thinking && this.behindThinking;
    const said = trims ? this.unsaid.trimStart() : this.unsaid;
    this.begun = true;
    this.unsaid = '';
    const kind = this.thinking ? 'thinking' : 'text';
    const last = pieces.at(-1);
    if (last?.kind === kind) last.text += said;
    else pieces.push({ kind, text: said });
    return text.length;
  }
}
