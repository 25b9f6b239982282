import type { ContentBlock } from '../agent/msg.js';

/** The tool calls of one run: which were announced, which are open, and the results being collected. */
export class ToolCalls {
  private readonly open = new Map<string, boolean>();
  private readonly results = new Map<string, ResultBuffer>();
  private readonly answered = new Set<string>();

  /** False if the call was announced before. */
  start(id: string): boolean {
    if (this.open.has(id)) return false;
    this.open.set(id, true);
    return true;
  }

  isOpen(id: string): boolean {
    return this.open.get(id) === true;
  }

  wasStarted(id: string): boolean {
    return this.open.has(id);
  }

  /** False if the call is not open. */
  end(id: string): boolean {
    if (!this.isOpen(id)) return false;
    this.open.set(id, false);
    return true;
  }

  openIds(): string[] {
    return [...this.open].filter(([, open]) => open).map(([id]) => id);
  }

  result(id: string): ResultBuffer {
    let buffer = this.results.get(id);
    if (buffer === undefined)
      this.results.set(id, (buffer = new ResultBuffer()));
    return buffer;
  }

  /** What was collected for a call; undefined if it was answered before. */
  takeResult(id: string): string | undefined {
    const content = this.result(id).content();
    this.results.delete(id);
    if (this.answered.has(id)) return undefined;
    this.answered.add(id);
    return content;
  }

  dropResult(id: string): void {
    this.results.delete(id);
  }
}

/** The pieces of one tool result: text runs on, each data block stands on a line of its own. */
class ResultBuffer {
  private readonly lines: string[] = [];
  private afterText = false;

  addText(delta: string): void {
    if (this.afterText) this.lines[this.lines.length - 1] += delta;
    else this.lines.push(delta);
    this.afterText = true;
  }

  addData(block: ContentBlock): void {
    this.lines.push(block.type === 'text' ? block.text : JSON.stringify(block));
    this.afterText = false;
  }

  content(): string {
    return this.lines.join('\n');
  }
}
