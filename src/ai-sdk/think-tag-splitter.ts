/** A stretch of a model's text: what it says, or what it thinks. */
export interface TextPiece {
  kind: 'text' | 'thinking';
  text: string;
}

const OPEN = '<think>';
const CLOSE = '</think>';

/**
 * Takes `<think>…</think>` out of streamed text (seed: "Reasoning"). Tags may be cut anywhere
 * between chunks; an unclosed one ends with the text, a stray closing one is left out. Inside code
 * (backticks) tags are text.
 */
export class ThinkTagSplitter {
  private held = '';
  private thinking = false;
  /** No text yet behind the thinking; the blank lines there say nothing. */
  private behindThinking = false;
  /** The backticks that opened the code we are in; empty outside code. */
  private fence = '';

  /** What a chunk completes. */
  push(chunk: string): TextPiece[] {
    this.held += chunk;
    return this.take(false);
  }

  /** What is left when the text ends. */
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
    if (special > 0) return this.say(this.held.slice(0, special), pieces);
    if (special < 0) return this.say(this.held, pieces);
    switch (this.held[0]) {
      case '`':
        return this.backticks(final, pieces);
      case '\n':
        // A single backtick that is never closed is no code.
        if (this.fence.length < 3) this.fence = '';
        return this.say('\n', pieces);
      default:
        return this.tag(final, pieces);
    }
  }

  private backticks(final: boolean, pieces: TextPiece[]): number {
    const [run] = /^`+/.exec(this.held)!;
    if (run.length === this.held.length && !final) return 0;
    if (this.fence === '') this.fence = run;
    else if (this.fence === run) this.fence = '';
    return this.say(run, pieces);
  }

  private tag(final: boolean, pieces: TextPiece[]): number {
    if (this.fence !== '') return this.say('<', pieces);
    for (const tag of this.thinking ? [CLOSE] : [OPEN, CLOSE]) {
      if (this.held.startsWith(tag)) {
        this.thinking = tag === OPEN;
        this.behindThinking = tag === CLOSE;
        return tag.length;
      }
      if (!final && tag.startsWith(this.held)) return 0;
    }
    return this.say('<', pieces);
  }

  private say(text: string, pieces: TextPiece[]): number {
    const kind = this.thinking ? 'thinking' : 'text';
    const said = this.behindThinking ? text.trimStart() : text;
    if (said === '') return text.length;
    this.behindThinking = false;
    const last = pieces.at(-1);
    if (last?.kind === kind) last.text += said;
    else pieces.push({ kind, text: said });
    return text.length;
  }
}
