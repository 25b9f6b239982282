import { Injectable, type CanActivate } from '@nestjs/common';
import type { AgentFactory } from 'nestjs-agui';
import { afterEach, describe, expect, it } from 'vitest';
import { aborted, agentOf, deferred, reply } from './support/agents.js';
import { closeApps, PLATFORMS, serve, type TestApp } from './support/app.js';
import { openSocket, run, typesOf } from './support/client.js';
import { allGone, roundTrip } from './support/settle.js';
import { timeOf } from './support/leaving.js';

/** Sends a request and leaves as soon as the server is at work on it. */
async function leaveDuring(
  app: TestApp,
  atWork: Promise<unknown>,
): Promise<void> {
  const socket = await openSocket(app);
  await atWork;
  socket.destroy();
}

@Injectable()
class SlowGuard implements CanActivate {
  readonly asked = deferred();
  readonly verdict = deferred<boolean>();

  canActivate(): Promise<boolean> {
    this.asked.resolve();
    return this.verdict.promise;
  }
}

describe.each(PLATFORMS)(
  'a client that leaves before the run starts on %s',
  (platform) => {
    afterEach(closeApps);

    it('should stop the making of the agent, and the agent is not asked', async () => {
      const [making, stopped] = [deferred(), deferred()];
      let asked = 0;
      const factory: AgentFactory = async ({ signal }) => {
        making.resolve();
        await aborted(signal);
        stopped.resolve();
        return agentOf(async function* () {
          asked++;
          yield reply.start();
        });
      };
      const app = await serve(platform, factory);
      await leaveDuring(app, making.promise);

      expect(await timeOf(stopped.promise)).toBeLessThan(100);
      await roundTrip(app);
      expect(asked).toBe(0);
      expect(app.complaints).toEqual([]);
    });

    it('should leave no error in the log when the making is broken off', async () => {
      const [making, rejected] = [deferred(), deferred()];
      const app = await serve(platform, async ({ signal }) => {
        making.resolve();
        await aborted(signal);
        setImmediate(() => rejected.resolve());
        throw signal.reason;
      });
      await leaveDuring(app, making.promise);
      await rejected.promise;

      expect(app.complaints).toEqual([]);
    });

    it('should not start the agent when a context resolver is done too late', async () => {
      const [resolving, go] = [deferred(), deferred()];
      let asked = 0;
      const app = await serve(
        platform,
        agentOf(async function* () {
          asked++;
          yield reply.start();
        }),
        {
          contextResolvers: [
            {
              async resolve() {
                resolving.resolve();
                await go.promise;
              },
            },
          ],
        },
      );
      await leaveDuring(app, resolving.promise);
      await allGone(app);
      go.resolve();
      await roundTrip(app);

      expect(asked).toBe(0);
    });

    it('should not start the agent when a guard is done too late', async () => {
      const guard = new SlowGuard();
      let asked = 0;
      const app = await serve(
        platform,
        agentOf(async function* () {
          asked++;
          yield reply.start();
        }),
        { guards: [guard] },
      );
      await leaveDuring(app, guard.asked.promise);
      await allGone(app);
      guard.verdict.resolve(true);
      await roundTrip(app);

      expect(asked).toBe(0);
    });

    it('should run the agent all the same when interruptOnDisconnect is off', async () => {
      const [making, go, finished] = [
        deferred(),
        deferred(),
        deferred<boolean>(),
      ];
      const app = await serve(
        platform,
        async () => {
          making.resolve();
          await go.promise;
          return agentOf(async function* (_messages, { signal }) {
            yield reply.start();
            yield reply.text('nobody hears this');
            yield reply.end();
            finished.resolve(signal.aborted);
          });
        },
        { interruptOnDisconnect: false },
      );
      await leaveDuring(app, making.promise);
      await allGone(app);
      go.resolve();

      expect(await finished.promise).toBe(false);
      expect(app.complaints).toEqual([]);
    });

    it('should give the messages to the next run of the thread', async () => {
      const [making, go] = [deferred(), deferred()];
      const heard: string[] = [];
      const app = await serve(
        platform,
        async () => {
          making.resolve();
          await go.promise;
          return agentOf(async function* (messages) {
            heard.push(...messages.map(({ id }) => id));
            yield reply.start();
            yield reply.end();
          });
        },
        { serverSideMemory: true },
      );
      await leaveDuring(app, making.promise);
      await allGone(app);
      go.resolve();
      const events = await run(app);

      expect(typesOf(events).at(-1)).toBe('RUN_FINISHED');
      expect(heard).toEqual(['u1']);
    });
  },
);
