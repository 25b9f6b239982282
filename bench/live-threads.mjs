// An application without HTTP, in which many runs are open while others are measured.
import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { AguiRequestProcessor } from './dist/index.js';
import { SseEncoder } from './dist/protocol/event-encoder.js';
import { appModule } from './contenders/ours.mjs';
import { inputFor } from './in-process.mjs';

export class LiveThreads {
  #serial = 0;
  #app;
  #idle = [];
  #processor;

  /** @param count how many runs are open. */
  static async open(count) {
    const threads = new LiveThreads();
    await threads.#open(count);
    return threads;
  }

  /** A run that is recorded like any other; the length of its frames. */
  async run(prompt) {
    let size = 0;
    const encoder = new SseEncoder();
    const run = await this.#begin(prompt);
    await run.pipe({
      write: (event) => void (size += encoder.encode(event).length),
    });
    return size;
  }

  close() {
    for (const run of this.#idle) run.cancel();
    return this.#app.close();
  }

  async #open(count) {
    this.#app = await NestFactory.create(
      appModule(false, { maxThreadSessions: 20_000 }),
      { logger: ['error'] },
    );
    await this.#app.init();
    this.#processor = this.#app.get(AguiRequestProcessor, { strict: false });
    for (let index = 0; index < count; index++) {
      const run = await this.#begin('idle');
      void run.pipe({ write() {} });
      this.#idle.push(run);
    }
  }

  #begin(prompt) {
    const id = this.#serial++;
    const input = {
      ...inputFor(prompt),
      threadId: `t-${id}`,
      runId: `r-${id}`,
    };
    return this.#processor.process({ input });
  }
}
