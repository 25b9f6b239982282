import {
  afterAll,
  afterEach,
  beforeAll,
  describe,
  expect,
  it,
  vi,
} from 'vitest';
import { objectionsOf10 } from '../../src/protocol/official-clients.fixture.js';
import { RedisServer } from '../../src/thread/redis/redis-server.fixture.js';
import { PLATFORMS } from '../support/app.js';
import {
  openSocket,
  openStream,
  post,
  run,
  textOf,
  typesOf,
  type LiveStream,
  type Received,
} from '../support/client.js';
import { answer, interruptsOf, refusalOf } from '../support/interrupting.js';
import { FaultServer, type ServerOptions } from './support/fault-server.js';
import { measured } from './support/measured.js';
import type { Script } from './support/scripted-agent.js';
import { scripted } from './support/scripted-run.js';

const OPEN = 200;
const ASKING = 50;
const GRACE = 5_000;
const WAITING: Script = { pieces: 5, then: 'wait' };
const SAID = '0 1 2 3 4 ';
const CONNECT = { path: '/agui/connect' };

const forAll = (ids: readonly string[], act: (id: string) => Promise<void>) =>
  Promise.all(ids.map(act));
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);

describe.each(PLATFORMS)('a rolling restart on %s', (platform) => {
  let redis: RedisServer;
  let round = 0;

  beforeAll(async () => {
    redis = await RedisServer.start();
  });
  afterEach(() => FaultServer.killAll());
  afterAll(() => redis.stop());

  const start = (agui: ServerOptions['agui'] = {}) =>
    FaultServer.start({
      platform,
      redis: `redis://127.0.0.1:${redis.port}`,
      agui: { shutdownGrace: GRACE, ...agui },
    });

  /** Threads that wait for an answer, and threads with a run. */
  async function busy(server: FaultServer, open: number) {
    round++;
    const asking = numbers(ASKING).map((n) => `asking-${round}-${n}`);
    await forAll(asking, async (id) => {
      const events = await run(server, scripted({ then: 'ask' }, id));
      expect(interruptsOf(events)).toMatchObject([{ id: 'q1' }]);
    });
    const running = numbers(open).map((n) => `running-${round}-${n}`);
    const streams = await Promise.all(
      running.map((id) => openStream(server, scripted(WAITING, id))),
    );
    for (const stream of streams)
      await stream.until((text) => text.includes('"4 "'));
    return { asking, running, streams };
  }

  /** What threads waited for is there, and what their agents have kept. */
  async function expectInterrupts(
    server: FaultServer,
    asking: readonly string[],
  ): Promise<void> {
    await forAll(asking, async (id) => {
      const again = { runId: 'again' };
      expect(refusalOf(await run(server, scripted({}, id, again)))).toContain(
        '"q1"',
      );
      const changes = { runId: 'next', resume: [answer('q1', 'yes')] };
      const events = await run(server, scripted({}, id, changes));
      expect(typesOf(events).at(-1)).toBe('RUN_FINISHED');
      expect(textOf(events)).toBe('turn 2');
    });
  }

  async function expectFree(server: FaultServer, id: string): Promise<void> {
    const next = { runId: 'next' };
    const events = await run(server, scripted({ pieces: 1 }, id, next));
    expect(typesOf(events).at(-1)).toBe('RUN_FINISHED');
  }

  /** What a run said that was broken off is part of the conversation. */
  async function expectKept(server: FaultServer, id: string): Promise<void> {
    const connected = await run(server, { threadId: `thread-${id}` }, CONNECT);
    expect(JSON.stringify(connected)).toContain(SAID);
  }

  it(`should end ${OPEN} open streams on SIGTERM, refuse new runs, and lose nothing that was kept`, async () => {
    const server = await start();
    const { asking, running, streams } = await busy(server, OPEN);
    // It keeps the server from closing at once.
    const slow = await openSocket(
      server,
      scripted({ pieces: 1_000_000, size: 10_000 }, 'slow'),
    );
    let said = -1;
    await vi.waitFor(
      async () => {
        const before = said;
        ({ said } = await server.figures());
        expect(said).toBe(before);
      },
      { timeout: 20_000, interval: 300 },
    );

    const signalled = performance.now();
    server.script.signal('SIGTERM');
    await Promise.all(streams.map(({ ended }) => ended));
    const ended = performance.now() - signalled;
    const refused = await post(server, scripted({}, 'late'));
    const how = await server.script.exited;
    const exited = performance.now() - signalled;
    slow.destroy();

    measured(`SIGTERM under ${OPEN} streams on ${platform}`, {
      'until every stream has ended, ms': ended,
      'until the process has ended, ms': exited,
    });
    expect(refused.status).toBe(503);
    expect(how).toBe('SIGTERM');
    expect(ended).toBeLessThan(GRACE);
    expect(exited).toBeLessThan(GRACE + 2_000);
    for (const stream of streams) expectLegalEnd(stream);

    const next = await start();
    await expectInterrupts(next, asking);
    await forAll(running, (id) => expectKept(next, id));
    await forAll(running, (id) => expectFree(next, id));
  });

  it('should lose nothing that was kept when a server that is blocked is killed', async () => {
    const server = await start();
    const { asking, running, streams } = await busy(server, 20);
    const block = scripted({ pieces: 1, then: 'block' }, 'blocked');
    const blocked = openStream(server, block).then(({ ended }) => ended);
    const broken = [blocked, ...streams.map(({ ended }) => ended)].map(
      (ended) => expect(ended).rejects.toThrow(/aborted|hang up|ECONNRESET/),
    );
    const next = await start();
    // It is not only slow: its threads are lost, since it gives no sign of life.
    await vi.waitFor(() => expectFree(next, running[0]!), {
      timeout: 20_000,
      interval: 500,
    });
    await server.script.kill();

    await Promise.all(broken);
    await expectInterrupts(next, asking);
    await forAll(running.slice(1), (id) => expectFree(next, id));
  });
});

/** The stream of a run that the server has broken off. */
function expectLegalEnd({ events }: LiveStream): void {
  expect(objectionsOf10(events as never)).toEqual([]);
  expect(textOf(events)).toBe(SAID);
  expect(events.at(-1)).toMatchObject({
    type: 'RUN_ERROR',
    code: 'INTERRUPTED_ERROR',
  } satisfies Partial<Received>);
}
