import { ScriptProcess } from '../../support/script-process.js';
import type { Script } from './scripted-agent.js';

/** Runs at the same time. */
export interface Burst {
  port: number;
  runs: number;
  script: Script;
}

/** Runs one after the other, whether those before are over or not. */
export interface Sustained {
  port: number;
  perSecond: number;
  seconds: number;
  script: Script;
}

interface Times {
  median: number;
  p99: number;
}

/** What the streams of many runs were like. Times are in milliseconds. */
export interface Verdict {
  /** How many responses had a status; 0 is none at all. */
  statuses: Record<string, number>;
  /** How many streams were not as they had to be. */
  faults: number;
  /** Some of what was wrong with them. */
  examples: string[];
  events: number;
  /** How many characters came. */
  size: number;
  /** From the request to the response's head. */
  head: Times;
  /** From the request to the end. */
  end: Times;
}

/** Clients in a process of their own, which look at every event of every stream. */
export class LoadClients {
  private constructor(private readonly script: ScriptProcess) {}

  static async start(): Promise<LoadClients> {
    return new LoadClients(
      await ScriptProcess.start('test/faults/support/verifier.ts'),
    );
  }

  burst(burst: Burst): Promise<Verdict & { time: number }> {
    return this.script.ask('burst', burst);
  }

  sustained(sustained: Sustained): Promise<Verdict & { time: number }> {
    return this.script.ask('sustained', sustained);
  }

  stop(): Promise<void> {
    return this.script.kill();
  }
}
