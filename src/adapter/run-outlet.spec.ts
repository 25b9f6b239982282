import { EventType } from '@ag-ui/core';
import { describe, expect, it } from 'vitest';
import type { AguiEvent } from '../protocol/agui-event.js';
import { RunOutlet } from './run-outlet.js';

const RUN = { threadId: 't1', runId: 'r1' };
const STARTED: AguiEvent = { type: EventType.RUN_STARTED, ...RUN };
const FINISHED: AguiEvent = { type: EventType.RUN_FINISHED, ...RUN };
const FAILED: AguiEvent = { type: EventType.RUN_ERROR, message: 'oh' };

function open() {
  const log: string[] = [];
  const outlet = new RunOutlet(
    (what, error) => {
      log.push(`${what} ${(error as Error).message}`);
    },
    () => FAILED,
  );
  outlet.open({ write: ({ type }) => void log.push(type) });
  return { outlet, log };
}

/** A promise, and what settles it. */
function pending() {
  let resolve!: () => void;
  let reject!: (error: Error) => void;
  const promise = new Promise<void>((one, other) => {
    resolve = one;
    reject = other;
  });
  return { promise, resolve, reject };
}

describe('RunOutlet', () => {
  it('should hand out events at once, to observers first', () => {
    const { outlet, log } = open();
    outlet.observe(({ type }) => void log.push(`seen ${type}`));
    outlet.deliver(STARTED);
    expect(log).toEqual(['seen RUN_STARTED', 'RUN_STARTED']);
    expect(outlet.ended).toBe(false);
  });

  it('should hand out the last one at once if nobody has anything to keep', () => {
    const { outlet, log } = open();
    outlet.deliver(FINISHED);
    expect(log).toEqual(['RUN_FINISHED']);
    expect(outlet.ended).toBe(true);
    expect(outlet.settled).toBeUndefined();
  });

  it('should hold the last one until everything is kept, one after the other', async () => {
    const { outlet, log } = open();
    const [first, second] = [pending(), pending()];
    outlet.observe(({ type }) => void log.push(`seen ${type}`));
    outlet.beforeEnd(({ type }) => {
      log.push(`first keeps ${type}`);
      return first.promise;
    });
    outlet.beforeEnd(() => {
      log.push('second keeps');
      return second.promise;
    });
    outlet.deliver(FINISHED);
    expect(log).toEqual(['first keeps RUN_FINISHED']);
    expect(outlet.ended).toBe(false);
    first.resolve();
    await Promise.resolve();
    second.resolve();
    await outlet.settled;
    expect(log.slice(1)).toEqual([
      'second keeps',
      'seen RUN_FINISHED',
      'RUN_FINISHED',
    ]);
    expect(outlet.ended).toBe(true);
  });

  it('should keep once, and hold what comes behind the last one with it', async () => {
    const { outlet, log } = open();
    outlet.beforeEnd(async ({ type }) => void log.push(`keeps ${type}`));
    outlet.deliver(FAILED);
    outlet.deliver(FINISHED);
    await outlet.settled;
    expect(log).toEqual(['keeps RUN_ERROR', 'RUN_ERROR', 'RUN_FINISHED']);
  });

  it('should hand out what comes behind the last one later, too', async () => {
    const { outlet, log } = open();
    outlet.beforeEnd(() => Promise.resolve());
    outlet.deliver(FAILED);
    await outlet.settled;
    outlet.deliver(FINISHED);
    expect(log).toEqual(['RUN_ERROR', 'RUN_FINISHED']);
  });

  it.each([
    ['rejects', () => Promise.reject(new Error('full'))],
    [
      'throws',
      () => {
        throw new Error('full');
      },
    ],
  ])(
    'should hand out an error instead, if what keeps the last one %s',
    async (_how, keep: () => Promise<void>) => {
      const { outlet, log } = open();
      outlet.beforeEnd(keep);
      outlet.deliver(FINISHED);
      await outlet.settled;
      expect(log).toEqual(['RUN_ERROR']);
      expect(outlet.ended).toBe(true);
    },
  );

  it('should tell of what could not be delivered', () => {
    const log: string[] = [];
    const outlet = new RunOutlet(
      (what) => void log.push(what),
      () => FAILED,
    );
    outlet.open({
      write: () => {
        throw new Error('no');
      },
    });
    outlet.deliver(STARTED);
    expect(log).toEqual(['RUN_STARTED could not be delivered.']);
  });

  it('should need no sink', () => {
    const { log } = open();
    const outlet = new RunOutlet(
      () => void log.push('failed'),
      () => FAILED,
    );
    outlet.deliver(FINISHED);
    expect(log).toEqual([]);
    expect(outlet.ended).toBe(true);
  });
});
