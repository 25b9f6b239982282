import type http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { PLATFORMS } from '../support/app.js';
import { inputOf, openSocket } from '../support/client.js';
import { FaultServer, type Figures } from './support/fault-server.js';
import { measured } from './support/measured.js';
import { scripted, scriptedRun } from './support/scripted-run.js';

const MB = 1024 ** 2;
const CLIENTS = 4;
/** 50 MB, in pieces of 10 KB. */
const SCRIPT = { pieces: 5_000, size: 10_000 };
/** How many seconds the clients are slow. */
const SECONDS = 10;
/** What was said belongs to the thread; here it is not to hide what belongs to the stream. */
const FORGETFUL = { maxThreadMemory: '1mb' } as const;

/** Reads 1 KB a second until the signal fires, and the rest as it comes. */
async function slowly(
  response: http.IncomingMessage,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const text = response.read(1024) as string | null;
    if (text !== null) response.emit('taken', text);
    await sleep(1000, undefined, { signal }).catch(() => undefined);
  }
  response.on('data', (text: string) => response.emit('taken', text));
}

/** The figures as soon as no agent is asked any more. */
async function untilPaused(server: FaultServer): Promise<Figures> {
  for (let last = -1; ;) {
    const figures = await server.figures();
    if (figures.said === last) return figures;
    last = figures.said;
    await sleep(1000);
  }
}

describe.each(PLATFORMS)('slow clients on %s', (platform) => {
  afterEach(() => FaultServer.killAll());

  it('should have the agent wait for those that read 1 KB a second, hold little of 50 MB, and lose nothing', async () => {
    const server = await FaultServer.start({
      platform,
      agui: { sseTimeout: 0, ...FORGETFUL },
    });
    await scriptedRun({
      port: server.port,
      script: { pieces: 1000 },
      id: 'first',
    });
    const before = await server.collected();
    const patience = new AbortController();
    const runs = Array.from({ length: CLIENTS }, (_, n) =>
      scriptedRun({
        port: server.port,
        script: SCRIPT,
        id: String(n),
        pace: (response) => void slowly(response, patience.signal),
      }),
    );
    const early = await untilPaused(server);
    let peak = early.rss;
    for (let second = 0; second < SECONDS; second++) {
      await sleep(1000);
      peak = Math.max(peak, (await server.figures()).rss);
    }
    const late = await server.figures();
    patience.abort();
    const outcomes = await Promise.all(runs);
    const after = await server.idle();

    const growth = (peak - before.rss) / CLIENTS / MB;
    measured(`slow clients on ${platform}`, {
      'memory per stream, MB': growth,
      'pieces asked for early, of 20,000': early.said - before.said,
      'pieces asked for late': late.said - before.said,
      'heap left per stream, MB':
        (after.heapUsed - before.heapUsed) / CLIENTS / MB,
    });
    // What a client reads in the time makes room for a few pieces.
    expect(late.said - early.said).toBeLessThan(CLIENTS * 10);
    expect(early.said).toBeGreaterThan(before.said);
    expect(late.said - before.said).toBeLessThan((CLIENTS * SCRIPT.pieces) / 4);
    expect(growth).toBeLessThan(16);
    expect(outcomes.map(({ fault }) => fault)).toEqual(
      Array(CLIENTS).fill(undefined),
    );
    expect(outcomes.every(({ size }) => size > 50_000_000)).toBe(true);
  });

  it('should drop those that stop reading for ever after slow-client-timeout', async () => {
    const server = await FaultServer.start({
      platform,
      agui: { slowClientTimeout: '1s', ...FORGETFUL },
    });
    const before = await server.collected();
    const script = { pieces: 100_000, size: 10_000 };
    const sockets = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        openSocket(server, inputOf(scripted(script, String(n)))),
      ),
    );
    await vi.waitFor(
      async () => expect((await server.figures()).tidied).toBe(50),
      { timeout: 30_000, interval: 200 },
    );
    const after = await server.idle();

    expect(after).toMatchObject({ signalled: 50 });
    expect(after.said).toBeLessThan(50 * 2_000);
    expect((after.heapUsed - before.heapUsed) / MB).toBeLessThan(16);
    const dropped = (await server.complaints()).filter((line) =>
      line.includes('took nothing for 1000 ms and was dropped'),
    );
    expect(dropped).toHaveLength(50);
    for (const socket of sockets) socket.destroy();
  });
});
