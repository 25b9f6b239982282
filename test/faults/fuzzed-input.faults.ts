import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PLATFORMS } from '../support/app.js';
import { bodies } from './support/run-inputs.js';
import { WatchedServer } from './support/watched.js';

/** 20,000 on both platforms together, this many at a time. */
const CASES = 10_000;
const BATCH = 20;

const route = fc.constantFrom(
  '/agui/run',
  '/agui/run/protocol',
  '/agui/run/model',
  '/memory/run',
  '/agui/connect',
  '/agui/cancel',
);

describe.each(PLATFORMS)('A fuzzed run input on %s', (platform) => {
  let server: WatchedServer;
  beforeAll(async () => (server = await WatchedServer.start(platform)));
  afterAll(() => server.stop());

  it(`should be refused, or be a legal run, ${CASES} times`, async () => {
    const statuses = new Map<number, number>();
    const request = fc.tuple(bodies, route);
    const batch = fc.array(request, { minLength: BATCH, maxLength: BATCH });
    await fc.assert(
      fc.asyncProperty(batch, async (requests) => {
        const harm = await server.harmBy(async () => {
          const answers = await Promise.all(
            requests.map(([body, path]) => server.send({ body }, path)),
          );
          for (const { status } of answers)
            statuses.set(status, (statuses.get(status) ?? 0) + 1);
          expect(answers.map(({ fault }) => fault).filter(Boolean)).toEqual([]);
        });
        expect(harm).toEqual([]);
      }),
      { numRuns: CASES / BATCH, seed: 20_260_801 },
    );
    // Neither are all of them refused, nor is none.
    expect(statuses.get(200)).toBeGreaterThan(CASES / 10);
    expect(statuses.get(400)).toBeGreaterThan(CASES / 10);
  }, 600_000);
});
