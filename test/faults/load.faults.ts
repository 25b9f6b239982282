import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { PLATFORMS } from '../support/app.js';
import { FaultServer } from './support/fault-server.js';
import { LoadClients, type Verdict } from './support/load-clients.js';
import { measured } from './support/measured.js';

const RUNS = 2_000;
const PIECES = 200;
const PER_SECOND = 200;
/** How long new runs keep coming. */
const SECONDS = Number(process.env['FAULTS_SECONDS'] ?? 60);

function told(what: string, time: number, verdict: Verdict): void {
  const { statuses, events, size, head, end } = verdict;
  measured(what, {
    ...Object.fromEntries(
      Object.entries(statuses).map(([status, count]) => [
        `responses with ${status}`,
        count,
      ]),
    ),
    'time, s': time / 1000,
    'events per second': events / (time / 1000),
    megabytes: size / 1024 ** 2,
    'median to the head, ms': head.median,
    'p99 to the head, ms': head.p99,
    'median to the end, ms': end.median,
    'p99 to the end, ms': end.p99,
  });
}

describe.each(PLATFORMS)('load on one process with %s', (platform) => {
  let clients: LoadClients;

  beforeAll(async () => {
    clients = await LoadClients.start();
  });
  afterEach(() => FaultServer.killAll());
  afterAll(() => clients.stop());

  it(`should lose nothing of ${RUNS} runs of ${PIECES} events at the same time`, async () => {
    const server = await FaultServer.start({ platform });
    const { port } = server;
    // Each of them lasts long enough for all of them to be there.
    const script = { pieces: PIECES, pause: 100 };
    let together = 0;
    const watch = setInterval(() => {
      void server.figures().then(({ active }) => {
        together = Math.max(together, active);
      });
    }, 500);
    const { time, ...verdict } = await clients.burst({
      port,
      runs: RUNS,
      script,
    });
    clearInterval(watch);

    told(`${RUNS} runs at once on ${platform}`, time, verdict);
    expect(together).toBe(RUNS);
    expect(verdict.examples).toEqual([]);
    expect(verdict).toMatchObject({
      statuses: { 200: RUNS },
      faults: 0,
      events: RUNS * (PIECES + 4),
    });
    const { started, tidied, signalled } = await server.idle();
    expect({ started, tidied, signalled }).toEqual({
      started: RUNS,
      tidied: RUNS,
      signalled: 0,
    });
  });

  it(`should lose nothing of ${PER_SECOND} new runs a second for ${SECONDS} s`, async () => {
    const server = await FaultServer.start({ platform });
    const { port } = server;
    const script = { pieces: 10 };
    const before = await server.collected();
    const { time, ...verdict } = await clients.sustained({
      port,
      perSecond: PER_SECOND,
      seconds: SECONDS,
      script,
    });
    const after = await server.idle();

    told(`${PER_SECOND} runs a second on ${platform}`, time, verdict);
    const runs = PER_SECOND * SECONDS;
    expect(verdict.examples).toEqual([]);
    expect(verdict).toMatchObject({
      statuses: { 200: runs },
      faults: 0,
      events: runs * 14,
    });
    expect(time).toBeLessThan((SECONDS + 5) * 1000);
    measured('memory', {
      'heap growth, MB': (after.heapUsed - before.heapUsed) / 1024 ** 2,
    });
  });
});
