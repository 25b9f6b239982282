import { describe, expect, it } from 'vitest';
import { describeFollowing } from './thread-store-following.fixture.js';
import { describeKeeping } from './thread-store-keeping.fixture.js';
import { describeLending } from './thread-store-lending.fixture.js';
import type { MakeStores } from './thread-under-test.fixture.js';

/** How many characters of events the stores under test keep. */
export const EVENT_LOG_LIMIT = 2_000;

/** What every thread store must do. Two stores that share what they keep are one. */
export function describeThreadStore(name: string, make: MakeStores): void {
  describe(`${name}, as a thread store`, () => {
    it('says that it can be reached', async () => {
      const { here, there } = await make();
      await expect(here.ping()).resolves.toBeUndefined();
      await expect(there.ping()).resolves.toBeUndefined();
    });

    describeLending(make);
    describeKeeping(make);
    describeFollowing(make);
  });
}
