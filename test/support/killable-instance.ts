import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'vite';
import vitestConfig from '../../vitest.config.js';

/** A server in a process of its own. */
export class KillableInstance {
  private constructor(
    readonly port: number,
    private readonly process: ChildProcess,
    private readonly directory: string,
  ) {}

  static async start(redisPort: number): Promise<KillableInstance> {
    // Inside of the project, so that it finds its packages.
    const directory = mkdtempSync(resolve('node_modules/.instance-'));
    await build({
      configFile: false,
      logLevel: 'silent',
      oxc: vitestConfig.oxc,
      resolve: vitestConfig.resolve,
      ssr: { external: true },
      build: {
        ssr: resolve('test/support/instance.ts'),
        outDir: directory,
        target: 'node20',
      },
    });
    const child = fork(join(directory, 'instance.js'), {
      env: { ...process.env, REDIS_URL: `redis://127.0.0.1:${redisPort}` },
    });
    const [url] = (await once(child, 'message')) as [string];
    return new KillableInstance(Number(new URL(url).port), child, directory);
  }

  /** Ends it in the middle of whatever it does, if it was not ended before. */
  async kill(): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null)
      return;
    const gone = once(this.process, 'exit');
    this.process.kill('SIGKILL');
    await gone;
    rmSync(this.directory, { recursive: true, force: true });
  }
}
