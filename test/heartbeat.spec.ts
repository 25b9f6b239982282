import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { agentOf, deferred, reply, silentAgent } from './support/agents.js';
import { closeApps, PLATFORMS, serve } from './support/app.js';
import { inputOf, openSocket, openStream } from './support/client.js';
import { untilStill } from './support/settle.js';

const COMMENT = ': keep-alive\n\n';

/** An agent that says a word whenever it is told to, and ends when there are no more. */
function promptedAgent(...prompts: { promise: Promise<void> }[]) {
  return agentOf(async function* () {
    yield reply.start();
    for (const [index, { promise }] of prompts.entries()) {
      await promise;
      yield reply.text(`word ${index} `);
    }
    yield reply.end();
  });
}

const commentsIn = (text: string) => text.split(COMMENT).length - 1;

describe.each(PLATFORMS)('the heartbeat on %s', (platform) => {
  // Only what our own code uses: sockets keep the real time.
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  });
  afterEach(async () => {
    vi.useRealTimers();
    await closeApps();
  });

  it('should send a comment every 15 seconds of silence', async () => {
    const app = await serve(platform, silentAgent());
    const stream = await openStream(app);
    await stream.untilType('RUN_STARTED');

    await vi.advanceTimersByTimeAsync(14_900);
    await vi.advanceTimersByTimeAsync(200);
    await stream.until((text) => commentsIn(text) === 1);
    await vi.advanceTimersByTimeAsync(15_000);
    await stream.until((text) => commentsIn(text) === 2);
    expect(stream.text).toMatch(/^data: \{.*\}\n\n(: keep-alive\n\n){2}$/);
    stream.leave();
  });

  it('should send none while the agent speaks', async () => {
    const prompts = [deferred(), deferred(), deferred(), deferred()];
    const app = await serve(platform, promptedAgent(...prompts));
    const stream = await openStream(app);

    for (const [index, { resolve }] of prompts.entries()) {
      await vi.advanceTimersByTimeAsync(10_000);
      resolve();
      await stream.until((text) => text.includes(`word ${index} `));
    }
    await stream.ended;
    expect(commentsIn(stream.text)).toBe(0);
  });

  it('should count the silence from the last word', async () => {
    const prompts = [deferred(), deferred()];
    const app = await serve(platform, promptedAgent(...prompts));
    const stream = await openStream(app);
    await vi.advanceTimersByTimeAsync(10_000);
    prompts[0]!.resolve();
    await stream.until((text) => text.includes('word 0 '));

    await vi.advanceTimersByTimeAsync(14_000);
    prompts[1]!.resolve();
    await stream.ended;
    expect(commentsIn(stream.text)).toBe(0);
  });

  it('should follow heartbeatInterval, and 0 switches it off', async () => {
    const often = await serve(platform, silentAgent(), {
      heartbeatInterval: '2s',
    });
    const never = await serve(platform, silentAgent(), {
      heartbeatInterval: 0,
    });
    const streams = [await openStream(often), await openStream(never)];
    for (const stream of streams) await stream.untilType('RUN_STARTED');
    for (let beat = 1; beat <= 30; beat++) {
      await vi.advanceTimersByTimeAsync(2_000);
      await streams[0]!.until((text) => commentsIn(text) === beat);
    }

    expect(commentsIn(streams[1]!.text)).toBe(0);
    for (const stream of streams) stream.leave();
  });

  it('should send none to a client that does not keep up', async () => {
    const filled = deferred();
    let said = 0;
    const app = await serve(
      platform,
      agentOf(async function* () {
        yield reply.start();
        for (; said < 100; said++) yield reply.text('x'.repeat(200_000));
        filled.resolve();
        yield reply.end();
      }),
    );
    const socket = await openSocket(app);
    expect(await untilStill(() => said)).toBeLessThan(100);
    await vi.advanceTimersByTimeAsync(5 * 60_000);
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    socket.resume();
    await filled.promise;
    await vi.waitUntil(() => text.includes('RUN_FINISHED'), 10_000);
    socket.destroy();

    expect(commentsIn(text)).toBe(0);
  });

  it('should send none in protobuf, which has no comments', async () => {
    const agent = silentAgent();
    const app = await serve(platform, agent, { heartbeatInterval: 100 });
    const stream = await openStream(app, inputOf(), {
      headers: { accept: 'application/vnd.ag-ui.event+proto' },
    });
    await stream.until((text) => text.includes('t1'));
    const { length } = stream.text;
    await vi.advanceTimersByTimeAsync(10_000);
    await agent.started.promise;

    expect(stream.text).toHaveLength(length);
    stream.leave();
  });

  it('should leave no timer behind', async () => {
    const idle = vi.getTimerCount();
    const prompt = deferred();
    const app = await serve(platform, promptedAgent(prompt));
    const finished = await openStream(app);
    await finished.untilType('RUN_STARTED');
    expect(vi.getTimerCount()).toBeGreaterThan(idle);
    prompt.resolve();
    await finished.ended;
    await vi.waitUntil(() => vi.getTimerCount() === idle);

    const agent = silentAgent();
    const other = await serve(platform, agent);
    const left = await openStream(other);
    await left.untilType('RUN_STARTED');
    left.leave();
    await agent.stopped.promise;
    await vi.waitUntil(() => vi.getTimerCount() === idle);
  });
});
