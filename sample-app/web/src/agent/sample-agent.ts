import {
  HttpAgent,
  type AgentSubscriber,
  type RunAgentInput,
  type RunAgentParameters,
} from '@ag-ui/client';
import type { OpenThread } from '../session/open-thread';
import { toFrames } from './frames';
import { quietStop } from './quiet-stop';
import { replayLastTurn } from './replay';
import type { WireLog } from '../wire/wire-log';

/** How a request names its agent. */
export type Routing = 'path' | 'header';

/** An agent of the sample's. */
export class SampleAgent extends HttpAgent {
  routing: Routing = 'path';
  /** What the next run is, instead of one of the agent's. */
  private restored: OpenThread | undefined;

  constructor(
    private readonly id: string,
    threadId: string,
    private readonly wire: WireLog,
  ) {
    super({ url: '/agui/run', threadId });
    this.fetch = (url, init) => this.answer(url, init);
  }

  /** Makes the next run one that the server already knows of. */
  restore(thread: OpenThread): void {
    this.restored = thread;
  }

  /** Stops the thread's run, also one that another page has begun. */
  async cancelRun(): Promise<void> {
    const body = JSON.stringify({ threadId: this.threadId });
    const headers = { 'Content-Type': 'application/json' };
    const init = { method: 'POST', headers, body };
    await this.wire.fetch('/agui/cancel', init);
  }

  override runAgent(
    parameters?: RunAgentParameters,
    listener?: AgentSubscriber,
  ) {
    return super.runAgent(parameters, listener && quietStop(listener));
  }

  override run(input: RunAgentInput): ReturnType<HttpAgent['run']> {
    const byPath = this.routing === 'path';
    this.url = byPath ? `/agui/run/${this.id}` : '/agui/run';
    this.headers = byPath ? {} : { 'X-Agent-Id': this.id };
    return super.run(input);
  }

  private async answer(url: string, init: RequestInit): Promise<Response> {
    const { restored } = this;
    if (restored === undefined) return this.wire.fetch(url, init);
    this.restored = undefined;
    init.signal?.addEventListener('abort', restored.leave);
    const body = restored.response
      .body!.pipeThrough(new TextDecoderStream())
      .pipeThrough(toFrames())
      .pipeThrough(replayLastTurn())
      .pipeThrough(new TextEncoderStream());
    return new Response(body, restored.response);
  }
}
