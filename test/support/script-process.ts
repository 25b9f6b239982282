import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'vite';
import vitestConfig from '../../vitest.config.js';

/** What a script is started with. */
export interface ScriptOptions {
  env?: Record<string, string>;
  /** Options of Node. */
  execArgv?: string[];
}

interface Reply {
  id: number;
  value?: unknown;
  error?: string;
}

/**
 * A script of the tests in a process of its own, such as a server that can be killed. The first
 * thing that it sends to its parent says that it is ready.
 */
export class ScriptProcess<Ready = unknown> {
  private asked = 0;

  private constructor(
    private readonly process: ChildProcess,
    /** What the script said when it was ready. */
    readonly ready: Ready,
  ) {}

  /** @param script its path in the project. */
  static async start<Ready>(
    script: string,
    { env, execArgv }: ScriptOptions = {},
  ): Promise<ScriptProcess<Ready>> {
    const child = fork(await compiled(script), {
      env: { ...process.env, ...env },
      execArgv,
      serialization: 'advanced',
    });
    // Each question that is not answered yet listens.
    child.setMaxListeners(0);
    const died = once(child, 'exit').then(() => {
      throw new Error(`${script} ended before it was ready.`);
    });
    const [ready] = (await Promise.race([once(child, 'message'), died])) as [
      Ready,
    ];
    return new ScriptProcess(child, ready);
  }

  get pid(): number {
    return this.process.pid!;
  }

  /** Resolves with the exit code, or the signal that ended it. */
  get exited(): Promise<number | string> {
    const { exitCode, signalCode } = this.process;
    const how = exitCode ?? signalCode;
    return how === null
      ? once(this.process, 'exit').then(([code, signal]) => code ?? signal)
      : Promise.resolve(how);
  }

  /** Puts a question that the script answers with {@link answers}. */
  async ask<T>(question: string, detail?: unknown): Promise<T> {
    const id = ++this.asked;
    const answer = new Promise<T>((resolve, reject) => {
      const heard = (reply: Reply) => {
        if (reply.id !== id) return;
        stop();
        if (reply.error === undefined) resolve(reply.value as T);
        else reject(new Error(reply.error));
      };
      const died = () => {
        stop();
        reject(new Error(`The script ended before it answered "${question}".`));
      };
      const stop = () => {
        this.process.off('message', heard);
        this.process.off('exit', died);
      };
      this.process.on('message', heard).on('exit', died);
    });
    this.process.send({ id, question, detail });
    return answer;
  }

  signal(name: NodeJS.Signals): void {
    this.process.kill(name);
  }

  /** Ends it in the middle of whatever it does, if it was not ended before. */
  async kill(): Promise<void> {
    this.process.kill('SIGKILL');
    await this.exited;
  }
}

const scripts = new Map<string, Promise<string>>();

function compiled(script: string): Promise<string> {
  const known = scripts.get(script) ?? compile(script);
  scripts.set(script, known);
  return known;
}

async function compile(script: string): Promise<string> {
  // Inside of the project, so that it finds its packages.
  const directory = mkdtempSync(resolve('node_modules/.script-'));
  process.once('exit', () =>
    rmSync(directory, { recursive: true, force: true }),
  );
  await build({
    configFile: false,
    logLevel: 'silent',
    oxc: vitestConfig.oxc,
    resolve: vitestConfig.resolve,
    ssr: { external: true },
    build: {
      ssr: resolve(script),
      outDir: directory,
      target: 'node20',
      rollupOptions: { output: { entryFileNames: 'script.js' } },
    },
  });
  return join(directory, 'script.js');
}
