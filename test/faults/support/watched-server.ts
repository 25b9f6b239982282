// A server in a process of its own that watches over itself: for how long its event loop stands still, whether
// anything reached the prototypes, what went wrong without being caught.
import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { simulateReadableStream } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import { AguiModule } from 'nestjs-agui';
import { AiSdkAgent } from 'nestjs-agui/ai-sdk';
import { answers } from '../../support/answers.js';
import { startApp, type Platform } from '../../support/app.js';
import { BAD_AGENTS, steady } from './bad-agents.js';
import { echo, protocolEcho } from './echo-agents.js';
import { LoopWatch } from './loop-watch.js';

/** What the server has seen of itself since it was asked last. */
export interface Findings {
  /** The longest time for which nothing else could happen, in milliseconds. */
  stuck: number;
  /** What was added to the prototypes. */
  polluted: string[];
  /** Errors that nobody caught. */
  uncaught: string[];
  /** Warnings and errors. */
  log: string[];
}

const uncaught: string[] = [];
process.on('uncaughtException', (error) => uncaught.push(String(error)));
process.on('unhandledRejection', (error) => uncaught.push(String(error)));

const PROTOTYPES = [Object, Array, Function, String, Map, Error, Promise].map(
  ({ name, prototype }) => ({ name, prototype: prototype as object }),
);
const ownKeys = () =>
  PROTOTYPES.flatMap(({ name, prototype }) =>
    Reflect.ownKeys(prototype).map((key) => `${name}.${String(key)}`),
  );
const innate = new Set(ownKeys());

const model = new MockLanguageModelV3({
  doStream: async () => ({
    stream: simulateReadableStream({
      chunks: [
        { type: 'text-start', id: '1' },
        { type: 'text-delta', id: '1', delta: 'Hello' },
        { type: 'text-end', id: '1' },
        {
          type: 'finish',
          finishReason: { unified: 'stop', raw: 'stop' },
          usage: { inputTokens: {}, outputTokens: {} },
        },
      ] as never[],
    }),
  }),
});

const agents = {
  default: echo,
  protocol: protocolEcho,
  model: new AiSdkAgent({
    model,
    shareState: true,
    emitMessagesSnapshot: true,
  }),
  steady,
  ...BAD_AGENTS,
};

class WatchedModule {}
Module({
  imports: [
    AguiModule.forRoot({ agents }),
    AguiModule.forRoot({ agents, pathPrefix: '/hasty', runTimeout: '200ms' }),
    AguiModule.forRoot({
      agents: { default: echo },
      pathPrefix: '/memory',
      serverSideMemory: true,
    }),
  ],
})(WatchedModule);

const app = await startApp(process.env['PLATFORM'] as Platform, {
  imports: [WatchedModule],
});
const watch = new LoopWatch();

answers({
  findings: (): Findings => ({
    stuck: watch.longest(),
    polluted: ownKeys().filter((key) => !innate.has(key)),
    uncaught: uncaught.splice(0),
    log: app.log.splice(0).filter((line) => /^(warn|error)/.test(line)),
  }),
});
process.send!(app.port);
