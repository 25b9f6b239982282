import { spawn, type ChildProcess } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { BUILD_SCRIPT } from './page-paths.js';

/** How much of what the build says is kept. */
const LONGEST = 4_000;

/** Builds the page beside the server, which need not wait for it. */
@Injectable()
export class PageBuild implements OnModuleDestroy {
  private readonly logger = new Logger('Page');
  private builder: ChildProcess | undefined;
  /** Why there is no page. */
  problem: string | undefined;

  get isRunning(): boolean {
    return this.builder !== undefined;
  }

  /** Has the page built, unless that was done already. @returns whether it is there. */
  start(): Promise<boolean> {
    const builder = spawn(process.execPath, [BUILD_SCRIPT], {
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    this.builder = builder;
    this.problem = undefined;
    lowerPriority(builder);
    let said = '';
    for (const output of [builder.stdout, builder.stderr])
      output.on('data', (some) => (said = (said + some).slice(-LONGEST)));
    return new Promise((resolve) => {
      builder.once('error', (error) => this.end(error.message, resolve));
      builder.once('close', (code) =>
        this.end(code === 0 ? undefined : said.trim(), resolve),
      );
    });
  }

  onModuleDestroy(): void {
    const builder = this.builder;
    this.builder = undefined;
    if (builder?.pid !== undefined) stop(builder.pid);
  }

  private end(
    problem: string | undefined,
    resolve: (built: boolean) => void,
  ): void {
    const isWanted = this.builder !== undefined;
    this.builder = undefined;
    if (isWanted && problem !== undefined) {
      this.problem = problem;
      this.logger.warn(
        `The page could not be built; the agents are served all the same. ${problem}`,
      );
    }
    resolve(isWanted && problem === undefined);
  }
}

/** What the server has to do comes first. */
function lowerPriority({ pid }: ChildProcess): void {
  if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_LOW);
}

/** Ends a process and those it has started. */
function stop(pid: number): void {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid);
  } catch {
    // It has just ended by itself.
  }
}
