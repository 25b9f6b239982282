import { expect, vi } from 'vitest';
import type { AguiPropertiesInput } from '../../../src/agui.properties.js';
import type { Platform } from '../../support/app.js';
import { ScriptProcess } from '../../support/script-process.js';
import type { HeapState } from './heap-state.js';
import type { counts } from './scripted-agent.js';

export interface ServerOptions {
  platform: Platform;
  agui?: AguiPropertiesInput;
  /** The URL of a Redis that keeps the threads. */
  redis?: string;
  http2?: boolean;
  /** Whether the application compresses its responses; Express only. */
  compression?: boolean;
}

/** What a server says of itself. */
export interface Figures extends Readonly<typeof counts> {
  /** How many runs go on. */
  active: number;
  /** How many threads are kept in the server's memory, and how many sessions of agents. */
  threads: number;
  sessions: number;
  rss: number;
  heapUsed: number;
  /** What keeps the event loop busy, by kind. */
  resources: Record<string, number>;
}

/** A server of its own process. */
export class FaultServer {
  private static readonly running = new Set<FaultServer>();
  readonly url: string;
  readonly port: number;

  private constructor(readonly script: ScriptProcess<string>) {
    this.url = script.ready;
    this.port = Number(new URL(this.url).port);
    FaultServer.running.add(this);
  }

  static async start(options: ServerOptions): Promise<FaultServer> {
    return new FaultServer(
      await ScriptProcess.start<string>('test/faults/support/server.ts', {
        env: { FAULT_SERVER: JSON.stringify(options) },
        execArgv: ['--expose-gc'],
      }),
    );
  }

  /** Ends all that were started. */
  static async killAll(): Promise<void> {
    await Promise.all([...this.running].map((server) => server.script.kill()));
    this.running.clear();
  }

  figures(): Promise<Figures> {
    return this.script.ask('figures');
  }

  /** The figures after the garbage is collected. */
  collected(): Promise<Figures> {
    return this.script.ask('collected');
  }

  /** The figures when no client is left, none comes any more, and the garbage is collected. */
  async idle(): Promise<Figures> {
    let before: Figures | undefined;
    await vi.waitFor(
      async () => {
        const last = before;
        before = await this.figures();
        const { active, started, tidied, resources } = before;
        expect(active).toBe(0);
        expect(tidied).toBe(started);
        expect(resources).not.toHaveProperty('TCPSocketWrap');
        expect(started).toBe(last?.started);
      },
      { timeout: 30_000, interval: 200 },
    );
    return this.collected();
  }

  heapState(): Promise<HeapState> {
    return this.script.ask('heapState');
  }

  /** The warnings and errors that it has logged since its start. */
  complaints(): Promise<string[]> {
    return this.script.ask('complaints');
  }
}
