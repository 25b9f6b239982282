import type { Platform } from '../../support/app.js';
import { parseEvents } from '../../support/client.js';
import { ScriptProcess } from '../../support/script-process.js';
import { objectionsTo } from '../../support/threads.js';
import type { HostileRequest } from './hostile-bodies.js';
import type { Findings } from './watched-server.js';

/** For how long an event loop may stand still, in milliseconds. */
const PATIENCE = 200;

/** How a server answered. */
export interface Answer {
  status: number;
  text: string;
  /** What is wrong with the answer; undefined if it is a refusal that says why, or a legal stream. */
  fault: string | undefined;
}

/** A server that watches over itself, in a process of its own. */
export class WatchedServer {
  private constructor(
    private readonly script: ScriptProcess<number>,
    readonly port: number,
  ) {}

  static async start(platform: Platform): Promise<WatchedServer> {
    const script = await ScriptProcess.start<number>(
      'test/faults/support/watched-server.ts',
      { env: { PLATFORM: platform } },
    );
    return new WatchedServer(script, script.ready);
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Sends a body as it is. */
  async send(
    { body, headers }: HostileRequest,
    path = '/agui/run',
  ): Promise<Answer> {
    const response = await fetch(this.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : new Uint8Array(body),
    });
    const text = await response.text();
    return { status: response.status, text, fault: faultOf(response, text) };
  }

  /** What the server has seen of itself since it was asked last. */
  findings(): Promise<Findings> {
    return this.script.ask<Findings>('findings');
  }

  /**
   * Does something, and tells what harm the server has taken by it. What takes long on a busy machine is done again: it
   * is the server's fault if it takes long each time.
   */
  async harmBy(act: () => Promise<void>, attempts = 4): Promise<string[]> {
    const harm: string[] = [];
    let stuck = Number.POSITIVE_INFINITY;
    for (; attempts > 0 && stuck >= PATIENCE; attempts--) {
      await this.findings();
      await act();
      const found = await this.findings();
      harm.push(...found.polluted, ...found.uncaught);
      stuck = Math.min(stuck, found.stuck);
    }
    return stuck < PATIENCE ? harm : [...harm, `stuck for ${stuck} ms`];
  }

  async stop(): Promise<void> {
    await this.script.kill();
  }
}

function faultOf(
  { status, headers }: Response,
  text: string,
): string | undefined {
  if (status === 200 && headers.get('content-type') === 'text/event-stream') {
    const events = parseEvents(text);
    return events.length === 0 ? 'an empty stream' : objectionsTo(events)[0];
  }
  const answer = JSON.parse(text) as Record<string, unknown>;
  if (status === 200) return undefined;
  if (status < 400 || status > 499) return `status ${status}: ${text}`;
  const { statusCode, message } = answer;
  return statusCode === status && typeof message === 'string' && message !== ''
    ? undefined
    : `no clear message: ${text.slice(0, 500)}`;
}
