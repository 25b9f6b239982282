import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PLATFORMS } from '../support/app.js';
import { inputOf } from '../support/client.js';
import { HOSTILE_BODIES } from './support/hostile-bodies.js';
import { WatchedServer } from './support/watched.js';

/** Who is asked: agents of each kind, without and with memory, and a thread. */
const ROUTES = [
  '/agui/run',
  '/agui/run/protocol',
  '/agui/run/model',
  '/memory/run',
  '/agui/connect',
];

describe.each(PLATFORMS)('A hostile body on %s', (platform) => {
  let server: WatchedServer;
  beforeAll(async () => (server = await WatchedServer.start(platform)));
  afterAll(() => server.stop());

  it.each(Object.entries(HOSTILE_BODIES))(
    'should be refused, or be a legal run: %s',
    async (_name, make) => {
      const request = make();
      let refused = false;
      for (const path of ROUTES) {
        // What is refused is refused by all alike.
        if (refused) break;
        const harm = await server.harmBy(async () => {
          const { status, fault } = await server.send(request, path);
          expect({ path, fault }).toEqual({ path, fault: undefined });
          refused = status !== 200;
        });
        expect({ path, harm }).toEqual({ path, harm: [] });
      }

      const well = { body: JSON.stringify(inputOf()) };
      expect(await server.send(well)).toMatchObject({ status: 200 });
    },
  );
});
