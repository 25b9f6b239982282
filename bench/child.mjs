// A process of the benchmark's: a contender, or the load. It is asked, and answers.
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export class Child {
  #process;
  #waiting = new Map();
  #serial = 0;
  /** What the process said when it was ready. */
  ready;

  /** @param module is looked up beside this file. */
  static async start(module, execArgv = []) {
    const child = new Child();
    await child.#start(
      fileURLToPath(new URL(module, import.meta.url)),
      execArgv,
    );
    return child;
  }

  ask(ask, task) {
    const id = this.#serial++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#process.send({ id, ask, task });
    });
  }

  stop() {
    return new Promise((resolve) => {
      this.#process.removeAllListeners('exit').once('exit', resolve);
      this.#process.kill('SIGKILL');
    });
  }

  #start(path, execArgv) {
    return new Promise((resolve, reject) => {
      this.#process = fork(path, [], {
        execArgv,
        env: { ...process.env, NODE_ENV: 'production', NO_COLOR: '1' },
      });
      this.#process.once('exit', (code) => {
        const error = new Error(`${path} ended with ${code}`);
        reject(error);
        for (const { reject: fail } of this.#waiting.values()) fail(error);
      });
      this.#process.on('message', ({ ready, ...reply }) => {
        if (ready === undefined) return this.#settle(reply);
        this.ready = ready;
        resolve();
      });
    });
  }

  #settle({ id, answer, failure }) {
    const { resolve, reject } = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (failure === undefined) resolve(answer);
    else reject(new Error(failure));
  }
}
