import type { ContentBlock } from '../agent/msg.js';
import { jsonText } from '../protocol/json-text.js';

interface Call {
  open: boolean;
  withArguments: boolean;
}

/** The tool calls of one run: which were announced, which are open, and the results being collected. */
export class ToolCalls {
  private readonly calls = new Map<string, Call>();
  private readonly results = new Map<string, ResultBuffer>();
  private readonly answered = new Set<string>();

  /** @param known calls that an earlier run announced and this one goes on with. */
  constructor(known: Iterable<string> = []) {
    for (const id of known)
      this.calls.set(id, { open: false, withArguments: false });
  }

  /** False if the call was announced before. */
  start(id: string, withArguments: boolean): boolean {
    if (this.calls.has(id)) return false;
    this.calls.set(id, { open: true, withArguments });
    return true;
  }

  isOpen(id: string): boolean {
    return this.calls.get(id)?.open === true;
  }

  /** Whether the client is to have a call's arguments, and may be sent some. */
  takesArguments(id: string): boolean {
    return this.isOpen(id) && this.calls.get(id)!.withArguments;
  }

  /** False if the call is not open. */
  end(id: string): boolean {
    const call = this.calls.get(id);
    if (!call?.open) return false;
    call.open = false;
    return true;
  }

  openIds(): string[] {
    return [...this.calls].filter(([, { open }]) => open).map(([id]) => id);
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

/** The name of a tool, for clients, which need one. */
export function toolNameOf(name: unknown): string {
  return typeof name === 'string' && name.trim() !== '' ? name : 'unknown';
}

/** The pieces of one tool result: text runs on, each data block stands on a line of its own. */
class ResultBuffer {
  private readonly lines: string[] = [];
  private afterText = false;

  addText(delta: string | undefined): void {
    if (!delta) return;
    if (this.afterText) this.lines[this.lines.length - 1] += delta;
    else this.lines.push(delta);
    this.afterText = true;
  }

  addData(block: ContentBlock | undefined): void {
    if (!block) return;
    this.lines.push(block.type === 'text' ? block.text : jsonText(block));
    this.afterText = false;
  }

  content(): string {
    return this.lines.join('\n');
  }
}
