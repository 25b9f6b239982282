import { once } from 'node:events';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  aborted,
  agentOf,
  deferred,
  reply,
  sayer,
  silentAgent,
} from './support/agents.js';
import { closeApps, PLATFORMS, serve } from './support/app.js';
import {
  inputOf,
  openSocket,
  openStream,
  run,
  typesOf,
} from './support/client.js';
import { nextConnection, untilStill } from './support/settle.js';

const TIMED_OUT = { type: 'RUN_ERROR', code: 'TIMEOUT_ERROR' };

describe.each(PLATFORMS)('runTimeout on %s', (platform) => {
  afterEach(closeApps);

  it('should fail the run and stop the agent', async () => {
    const agent = silentAgent([reply.start(), reply.text('Well')]);
    const app = await serve(platform, agent, { runTimeout: 50 });
    const events = await run(app);

    expect(typesOf(events)).toEqual([
      'RUN_STARTED',
      'TEXT_MESSAGE_START',
      'TEXT_MESSAGE_CONTENT',
      'TEXT_MESSAGE_END',
      'RUN_ERROR',
    ]);
    expect(events.at(-1)).toMatchObject(TIMED_OUT);
    await agent.stopped.promise;
    expect(app.log.join('\n')).toMatch(/warn: The run "r1" .* took longer/);
  });

  it('should end the stream of an agent that does not listen to its signal', async () => {
    const app = await serve(
      platform,
      agentOf(async function* () {
        yield reply.start();
        await new Promise(() => undefined);
      }),
      { runTimeout: '50ms' },
    );

    expect((await run(app)).at(-1)).toMatchObject(TIMED_OUT);
  });
});

describe.each(PLATFORMS)('sseTimeout on %s', (platform) => {
  afterEach(closeApps);

  it('should end the stream and stop the agent', async () => {
    const agent = silentAgent([reply.start(), reply.text('Well')]);
    const app = await serve(platform, agent, { sseTimeout: 50 });
    const events = await run(app);

    expect(typesOf(events).slice(-2)).toEqual([
      'TEXT_MESSAGE_END',
      'RUN_ERROR',
    ]);
    expect(events.at(-1)).toMatchObject(TIMED_OUT);
    await agent.stopped.promise;
    expect(app.log.join('\n')).toMatch(/warn: The stream of run "r1"/);
  });

  it('should let the agent run on when interruptOnDisconnect is off', async () => {
    const [go, finished] = [deferred(), deferred<boolean>()];
    const app = await serve(
      platform,
      agentOf(async function* (_messages, { signal }) {
        yield reply.start();
        yield reply.text('Well');
        await go.promise;
        yield reply.text('nobody hears this');
        yield reply.end();
        finished.resolve(signal.aborted);
      }),
      { sseTimeout: 50, interruptOnDisconnect: false },
    );
    const events = await run(app);
    expect(events.at(-1)).toMatchObject(TIMED_OUT);
    go.resolve();

    expect(await finished.promise).toBe(false);
    expect(JSON.stringify(events)).not.toContain('nobody hears');
  });

  it('should be told to a protocol agent that has said nothing', async () => {
    const stopped = deferred();
    const app = await serve(
      platform,
      {
        async *run() {
          await stopped.promise;
          yield* [];
        },
        abortRun: () => stopped.resolve(),
      },
      { sseTimeout: 50 },
    );

    expect((await run(app)).at(-1)).toMatchObject(TIMED_OUT);
    await stopped.promise;
  });

  it.each([true, false])(
    'should drop a client that does not read (interruptOnDisconnect: %s)',
    async (interruptOnDisconnect) => {
      let said = 0;
      const stopped = deferred();
      const app = await serve(
        platform,
        agentOf(async function* (_messages, { signal }) {
          try {
            yield reply.start();
            while (!signal.aborted && said < 500) {
              said++;
              yield reply.text('x'.repeat(64 * 1024));
            }
          } finally {
            stopped.resolve();
          }
        }),
        { sseTimeout: 200, shutdownGrace: 50, interruptOnDisconnect },
      );
      const connection = nextConnection(app);
      const socket = await openSocket(app);
      const dropped = once(await connection, 'close');
      await untilStill(() => said);

      await stopped.promise;
      await dropped;
      socket.destroy();
      expect(said === 500).toBe(!interruptOnDisconnect);
    },
  );

  it('should drop a client that does not read the end of its stream', async () => {
    const finished = deferred();
    const app = await serve(
      platform,
      agentOf(async function* () {
        yield reply.start();
        // More than the kernel takes.
        yield reply.text('x'.repeat(30_000_000));
        yield reply.end();
        finished.resolve();
      }),
      { sseTimeout: 300, shutdownGrace: 50 },
    );
    const connection = nextConnection(app);
    const socket = await openSocket(app);
    const [failed] = (await once(await connection, 'close')) as [boolean];

    expect(failed).toBe(false);
    socket.destroy();
  });
});

describe.each(PLATFORMS)('no time limits on %s', (platform) => {
  afterEach(async () => {
    vi.useRealTimers();
    await closeApps();
  });

  it('should let a run last for days when the limits are 0', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    const go = deferred();
    const app = await serve(
      platform,
      agentOf(async function* (_messages, { signal }) {
        yield reply.start();
        await Promise.race([go.promise, aborted(signal)]);
        yield reply.end();
      }),
      { runTimeout: 0, sseTimeout: 0, heartbeatInterval: 0 },
    );
    const stream = await openStream(app);
    await stream.untilType('RUN_STARTED');
    await vi.advanceTimersByTimeAsync(3 * 86_400_000);
    go.resolve();
    await stream.ended;

    expect(typesOf(stream.events)).toEqual(['RUN_STARTED', 'RUN_FINISHED']);
  });

  it('should forget the limits of a run that is over', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    const app = await serve(platform, sayer('Hi'));
    const stream = await openStream(app, inputOf());
    await stream.ended;
    await vi.advanceTimersByTimeAsync(3_600_000);

    expect(app.complaints).toEqual([]);
  });
});
