import { EventEmitter } from 'node:events';
import { EventType } from '@ag-ui/core';
import { range, map, concat, of } from 'rxjs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { agentOf, deferred, reply } from './support/agents.js';
import { closeApps, PLATFORMS, serve } from './support/app.js';
import { inputOf, openSocket, run, typesOf } from './support/client.js';
import { untilStill } from './support/settle.js';

const PIECE = 'x'.repeat(64 * 1024);
const PIECES = 1000;

describe.each(PLATFORMS)('a client that does not read on %s', (platform) => {
  afterEach(closeApps);

  it.each(['text/event-stream', 'application/vnd.ag-ui.event+proto'])(
    'should pause the agent, and let it go on when it reads %s',
    async (accept) => {
      let said = 0;
      const finished = deferred();
      const app = await serve(
        platform,
        agentOf(async function* () {
          yield reply.start();
          for (; said < PIECES; said++) yield reply.text(PIECE);
          yield reply.end();
          finished.resolve();
        }),
      );
      const socket = await openSocket(app, inputOf(), [`Accept: ${accept}`]);
      await vi.waitUntil(() => said > 0);

      const before = await untilStill(() => said);
      expect(before).toBeLessThan(PIECES / 4);
      let received = 0;
      socket.on('data', (chunk: Buffer) => (received += chunk.length));
      socket.resume();
      await finished.promise;
      expect(said).toBe(PIECES);
      await vi.waitUntil(() => received > PIECES * PIECE.length);
      socket.destroy();
    },
  );

  it('should pause an agent that speaks AG-UI itself', async () => {
    let said = 0;
    const app = await serve(platform, {
      async *run({ threadId, runId }) {
        yield { type: EventType.RUN_STARTED, threadId, runId } as never;
        for (; said < PIECES; said++)
          yield {
            type: EventType.CUSTOM,
            name: 'piece',
            value: PIECE,
          } as never;
        yield { type: EventType.RUN_FINISHED, threadId, runId } as never;
      },
    });
    const socket = await openSocket(app);
    await vi.waitUntil(() => said > 0);

    expect(await untilStill(() => said)).toBeLessThan(PIECES / 4);
    socket.destroy();
  });

  it('should be able to leave while the agent waits for it', async () => {
    const stopped = deferred<string>();
    let said = 0;
    const app = await serve(
      platform,
      agentOf(async function* () {
        try {
          yield reply.start();
          for (;;) {
            said++;
            yield reply.text(PIECE);
          }
        } finally {
          stopped.resolve('stopped');
        }
      }),
    );
    const socket = await openSocket(app);
    await untilStill(() => said);
    socket.destroy();

    expect(await stopped.promise).toBe('stopped');
  });
});

describe.each(PLATFORMS)('a fast agent on %s', (platform) => {
  afterEach(closeApps);

  it('should lose nothing of 10,000 events, and cause no warning', async () => {
    const warnings: string[] = [];
    const warned = (warning: Error) => warnings.push(String(warning));
    process.on('warning', warned);
    const added = vi.spyOn(EventEmitter.prototype, 'on');
    const app = await serve(
      platform,
      agentOf(async function* () {
        yield reply.start();
        for (let word = 0; word < 10_000; word++) yield reply.text(`${word} `);
        yield reply.end();
      }),
    );
    const events = await run(app);
    const drains = added.mock.calls.filter(([name]) => name === 'drain');
    added.mockRestore();
    process.off('warning', warned);

    expect(events).toHaveLength(10_004);
    expect(events.slice(2, -2).map(({ delta }) => delta)).toEqual(
      Array.from({ length: 10_000 }, (_, word) => `${word} `),
    );
    expect(warnings).toEqual([]);
    expect(drains.length).toBeLessThan(10);
  });

  it('should lose nothing of a fast Observable, also if the client is slow', async () => {
    const app = await serve(
      platform,
      agentOf(() =>
        concat(
          of(reply.start()),
          range(0, 3000).pipe(
            map((word) => reply.text(`${word} ${'x'.repeat(1000)}`)),
          ),
          of(reply.end()),
        ),
      ),
    );
    expect(await run(app)).toHaveLength(3004);

    const socket = await openSocket(app, inputOf(), ['Connection: close']);
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      socket.pause();
      setImmediate(() => socket.resume());
    });
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.resume();
    await closed;
    expect(text.match(/TEXT_MESSAGE_CONTENT/g)).toHaveLength(3000);
  });

  it('should let other requests through while a synchronous agent speaks', async () => {
    const app = await serve(
      platform,
      agentOf(async function* (_messages, context) {
        yield reply.start();
        const words = context.sessionId === 'long' ? 20_000 : 1;
        for (let word = 0; word < words; word++) yield reply.text('word ');
        yield reply.end();
      }),
    );
    const order: string[] = [];
    await Promise.all(
      ['long', 'short'].map(async (threadId) => {
        const events = await run(app, inputOf({ threadId }));
        expect(typesOf(events).at(-1)).toBe('RUN_FINISHED');
        order.push(threadId);
      }),
    );

    expect(order).toEqual(['short', 'long']);
  });
});
