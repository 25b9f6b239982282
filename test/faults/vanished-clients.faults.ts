import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { PLATFORMS } from '../support/app.js';
import { openSocket } from '../support/client.js';
import { FaultServer, type Figures } from './support/fault-server.js';
import { grown } from './support/heap-state.js';
import { measured } from './support/measured.js';
import type { Script } from './support/scripted-agent.js';
import { scripted, scriptedRun } from './support/scripted-run.js';

/** How many threads and sessions a server may keep, so that one more is one that is not let go of. */
const KEPT = 10;
const CROWD = 1_000;
const ABORTED = 10_000;
const AT_A_TIME = 100;

const TALKING: Script = { pieces: 1_000_000, size: 5_000, pause: 1 };
const SHOUTING: Script = { pieces: 1_000_000, size: 200_001, pause: 1 };
const SILENT: Script = { pieces: 3, then: 'wait' };
const SHORT: Script = { pieces: 3 };

/** How a client leaves, which has sent its request and reads nothing. */
const WAYS: [string, Script, (socket: Socket) => unknown][] = [
  [
    'in the middle of a frame',
    SHOUTING,
    async (socket) => {
      socket.resume();
      await once(socket, 'data');
      socket.resetAndDestroy();
    },
  ],
  ['while the agent speaks', TALKING, (socket) => reset(socket, 20)],
  ['while the agent thinks', SILENT, (socket) => reset(socket, 20)],
  ['before the head is written', SILENT, (socket) => socket.resetAndDestroy()],
  ['while the head is written', TALKING, (socket) => reset(socket)],
  ['by saying that it sends no more', SILENT, (socket) => socket.end()],
];

/** Resets a connection after a time; by default one that falls at any moment of a run's beginning. */
async function reset(socket: Socket, after = Math.random() * 20) {
  await sleep(after);
  socket.resetAndDestroy();
}

let clients = 0;

/** A client of a new thread. @returns the thread's name. */
async function openAndLeave(
  server: FaultServer,
  script: Script,
  leave: (socket: Socket) => unknown,
): Promise<string> {
  const id = `vanished-${++clients}`;
  const socket = await openSocket(server, scripted(script, id));
  await leave(socket);
  return id;
}

/** No connection and no timer is left, and no thread or session held. */
async function expectNothingHeld(
  server: FaultServer,
  before: Figures,
): Promise<void> {
  await vi.waitFor(
    async () =>
      expect((await server.figures()).resources).toEqual(before.resources),
    { timeout: 20_000, interval: 100 },
  );
  const { threads, sessions } = await server.figures();
  expect(threads).toBeLessThanOrEqual(KEPT);
  expect(sessions).toBeLessThanOrEqual(KEPT);
}

/** Does something often, a few at a time. */
async function often<T>(times: number, act: () => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  const worker = async () => {
    for (; times > 0;) {
      times--;
      results.push(await act());
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, worker));
  return results;
}

describe.each(PLATFORMS)('clients that vanish on %s', (platform) => {
  let server: FaultServer;

  beforeAll(async () => {
    server = await FaultServer.start({
      platform,
      agui: { serverSideMemory: true, maxThreadSessions: KEPT },
    });
    await scriptedRun({ port: server.port, script: SHORT, id: 'first' });
  });
  afterAll(() => FaultServer.killAll());

  it.each(WAYS)(
    'should leave nothing behind if they go %s',
    async (_when, script, leave) => {
      const before = await server.idle();
      const left = await often(100, () => openAndLeave(server, script, leave));
      const after = await server.idle();

      const started = after.started - before.started;
      expect(after.tidied - before.tidied).toBe(started);
      expect(after.signalled - before.signalled).toBe(started);
      await expectNothingHeld(server, before);
      // The threads are free.
      for (const id of left.slice(-KEPT)) {
        const next = await scriptedRun({
          port: server.port,
          script: SHORT,
          id,
        });
        expect(next.fault).toBeUndefined();
      }
    },
  );

  it(`should leave nothing behind if ${CROWD} go at once`, async () => {
    const before = await server.idle();
    const sockets = await often(CROWD, () =>
      openSocket(server, scripted(SILENT, `crowd-${++clients}`)),
    );
    while ((await server.figures()).active < CROWD) await sleep(100);

    const left = performance.now();
    for (const socket of sockets) socket.resetAndDestroy();
    while ((await server.figures()).tidied < before.tidied + CROWD)
      await sleep(20);
    measured(`${CROWD} clients that leave at once on ${platform}`, {
      'until every agent has tidied up, ms': performance.now() - left,
    });

    const after = await server.idle();
    expect(after.signalled - before.signalled).toBe(CROWD);
    await expectNothingHeld(server, before);
  });

  it(`should have no more in memory after ${ABORTED} aborted runs`, async () => {
    let turn = 0;
    const abort = () => {
      const [, script, leave] = WAYS[turn++ % WAYS.length]!;
      return openAndLeave(server, script, leave);
    };
    // What is compiled, cached and pooled is there after some of them.
    await often(ABORTED / 10, abort);

    // The engine's own memory comes and goes by some hundred KB; what is left of a run is there after each round.
    let growth = Infinity;
    for (let round = 0; growth > ABORTED * 20 && round < 3; round++) {
      const before = await server.idle();
      const heapBefore = await server.heapState();
      await often(ABORTED, abort);
      const after = await server.idle();
      const heapAfter = await server.heapState();

      growth = heapAfter.size - heapBefore.size;
      measured(`${ABORTED} aborted runs on ${platform}`, {
        'runs that had begun': after.started - before.started,
        'growth of objects, functions and texts, KB': growth / 1024,
        'bytes per run': growth / ABORTED,
      });
      expect(after.tidied).toBe(after.started);
      expect(after.signalled - before.signalled).toBe(
        after.started - before.started,
      );
      expect(grown(heapBefore, heapAfter, ABORTED / 100)).toEqual({});
      await expectNothingHeld(server, before);
    }
    expect(growth / ABORTED).toBeLessThanOrEqual(20);
    expect(await server.complaints()).toEqual([]);
  });
});
