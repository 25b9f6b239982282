import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
} from '@nestjs/common';
import { AguiError, AguiErrorCode } from '../protocol/agui-error.js';

/** A run that is about to start, or that a client listens to, or that goes on without one. */
export interface ActiveRun {
  /** Resolves when the client has everything or has left, and the run is over. */
  readonly done: Promise<void>;
  /** Ends the run with an error. */
  fail(error: unknown): void;
  /** Lets go of a client that does not take what it is sent. */
  drop(): void;
}

/** The runs in progress, so that closing the application can end each of them properly. */
@Injectable()
export class ActiveRuns implements BeforeApplicationShutdown {
  private readonly runs = new Set<ActiveRun>();
  private readonly logger = new Logger('AguiModule');
  private closing = false;

  constructor(private readonly graceMs: number) {}

  /** True when the application is closing and no run may begin. */
  get isClosing(): boolean {
    return this.closing;
  }

  get size(): number {
    return this.runs.size;
  }

  track(active: ActiveRun): void {
    this.runs.add(active);
    void active.done.then(() => this.runs.delete(active));
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.closing = true;
    const runs = [...this.runs];
    if (runs.length === 0) return;
    this.logger.log(
      `Ending ${runs.length} runs, because the application closes.`,
    );
    for (const active of runs)
      active.fail(
        new AguiError(
          'The server is shutting down.',
          AguiErrorCode.INTERRUPTED_ERROR,
        ),
      );
    await this.doneOrDropped(runs);
  }

  private async doneOrDropped(runs: readonly ActiveRun[]): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const grace = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, this.graceMs);
    });
    await Promise.race([Promise.all(runs.map(({ done }) => done)), grace]);
    clearTimeout(timer);
    for (const active of this.runs) active.drop();
  }
}
