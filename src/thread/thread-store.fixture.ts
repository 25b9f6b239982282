import { once } from 'node:events';
import { EventType, type Interrupt } from '@ag-ui/core';
import { describe, expect, it, vi } from 'vitest';
import type { AguiEvent } from '../protocol/agui-event.js';
import { EVENTS_DROPPED } from './run-log.js';
import type { ThreadKey } from './thread-key.js';
import {
  ThreadLostError,
  type FollowedRun,
  type ThreadLease,
  type ThreadRecord,
  type ThreadStore,
} from './thread-store.js';

/** How many characters of events the stores under test keep. */
export const EVENT_LOG_LIMIT = 2_000;

const RUN = { threadId: 't', runId: 'r1' };
const STARTED: AguiEvent = { type: EventType.RUN_STARTED, ...RUN };
const FINISHED: AguiEvent = { type: EventType.RUN_FINISHED, ...RUN };
const open = (messageId: string): AguiEvent => ({
  type: EventType.TEXT_MESSAGE_START,
  messageId,
  role: 'assistant',
});
const text = (messageId: string, delta: string): AguiEvent => ({
  type: EventType.TEXT_MESSAGE_CONTENT,
  messageId,
  delta,
});
const close = (messageId: string): AguiEvent => ({
  type: EventType.TEXT_MESSAGE_END,
  messageId,
});
const note = (name: string): AguiEvent => ({
  type: EventType.CUSTOM,
  name,
  value: 'x'.repeat(100),
});
const EMPTY = { messages: [], state: undefined };

const interrupt = (id: string): Interrupt => ({ id, reason: 'tool_call' });
const never = () => new AbortController().signal;

/** What followers hear, in one list, with each message's text in one piece. */
async function heard({ events }: FollowedRun): Promise<unknown[]> {
  const all: unknown[] = [];
  const texts = new Map<string, { delta: string }>();
  for await (const some of events)
    for (const event of some) {
      if (event.type !== EventType.TEXT_MESSAGE_CONTENT) {
        all.push(event);
        continue;
      }
      const { messageId, delta } = event;
      const grown = texts.get(messageId);
      if (grown !== undefined) grown.delta += delta;
      else {
        const piece = { ...event };
        texts.set(messageId, piece);
        all.push(piece);
      }
    }
  return all;
}

/** What every thread store must do. Two stores that share what they keep are one. */
export function describeThreadStore(
  name: string,
  make: () => Promise<{ here: ThreadStore; there: ThreadStore }>,
): void {
  let threads = 0;

  async function setUp(record: Partial<ThreadRecord> = {}) {
    const stores = await make();
    const key: ThreadKey = { userId: undefined, threadId: `t${++threads}` };
    if (Object.keys(record).length > 0) {
      const lease = (await stores.here.begin(key, 'r0'))!;
      lease.start(EMPTY);
      await lease.end(record);
    }
    const begin = async (runId = 'r1', on = stores.here) =>
      (await on.begin(key, runId))!;
    const record_ = async (on = stores.there) =>
      (await on.read(key, never()))!.record;
    return { ...stores, key, begin, recordOf: record_ };
  }

  /** A run that has said some words. */
  async function saying(lease: ThreadLease, ...words: string[]) {
    lease.start(EMPTY);
    lease.add(STARTED);
    lease.add(open('m'));
    for (const word of words) lease.add(text('m', word));
  }

  describe(`${name}, as a thread store`, () => {
    describe('lends a thread', () => {
      it('to one run at a time', async () => {
        const { here, there, key, begin } = await setUp();
        const lease = await begin();
        expect(await here.begin(key, 'r2')).toBeUndefined();
        expect(await there.begin(key, 'r2')).toBeUndefined();
        await lease.end();
        expect(await there.begin(key, 'r2')).toBeDefined();
      });

      it('to one of many that ask at once', async () => {
        const { here, there, key } = await setUp();
        const leases = await Promise.all(
          Array.from({ length: 20 }, (_, n) =>
            (n % 2 ? here : there).begin(key, `r${n}`),
          ),
        );
        expect(leases.filter((lease) => lease !== undefined)).toHaveLength(1);
      });

      it('while those of others are lent', async () => {
        const { here, key, begin } = await setUp();
        await begin();
        for (const other of [
          { ...key, threadId: `${key.threadId}-other` },
          { ...key, userId: 'ada' },
          { ...key, userId: '' },
        ])
          expect(await here.begin(other, 'r1')).toBeDefined();
      });

      it('to those who wait, one after the other', async () => {
        const { here, there, key, begin } = await setUp();
        const first = await begin();
        const order: string[] = [];
        const waiting = [here, there, here].map(async (store, n) => {
          const lease = await store.begin(key, `w${n}`, never());
          order.push(`begins ${n}`);
          lease!.start(EMPTY);
          await Promise.resolve();
          order.push(`ends ${n}`);
          await lease!.end();
        });
        await first.end();
        await Promise.all(waiting);
        for (let n = 0; n < order.length; n += 2)
          expect(order[n]!.replace('begins', 'ends')).toBe(order[n + 1]);
        expect(order).toHaveLength(6);
      });

      it('not to who waits no longer', async () => {
        const { here, key, begin } = await setUp();
        const first = await begin();
        const patience = new AbortController();
        const waiting = here.begin(key, 'r2', patience.signal);
        patience.abort(new Error('no patience'));
        await expect(waiting).rejects.toThrow('no patience');
        await first.end();
        expect(await here.begin(key, 'r3')).toBeDefined();
      });

      it('not to who waited no longer before asking', async () => {
        const { here, key, begin } = await setUp();
        await begin();
        await expect(
          here.begin(key, 'r2', AbortSignal.abort(new Error('gone'))),
        ).rejects.toThrow('gone');
      });
    });

    describe('keeps', () => {
      it('nothing of a thread that nobody has run', async () => {
        const { here, key } = await setUp();
        expect(await here.read(key, never())).toBeUndefined();
        expect(await here.cancel(key)).toBe('unknown');
      });

      it('a new thread that waits for nothing', async () => {
        const { begin } = await setUp();
        expect((await begin()).record).toEqual({
          lastRunId: undefined,
          agentId: undefined,
          branch: 0,
          interrupts: [],
          answered: [],
          mustAnswer: true,
          messages: [],
          state: undefined,
          session: {},
        });
      });

      it('what a run leaves, and no more than it says', async () => {
        const { begin, recordOf } = await setUp({
          interrupts: [interrupt('b'), interrupt('a')],
          messages: [{ id: 'u1', role: 'user', content: 'hé\u0000}{' }],
          state: { list: [], none: null, deep: { list: [{}] } },
          session: { seen: [] },
        });
        const lease = await begin();
        expect(lease.record).toMatchObject({ lastRunId: 'r0' });
        await lease.end({ mustAnswer: false });
        expect(await recordOf()).toEqual({
          lastRunId: 'r0',
          branch: 0,
          interrupts: [interrupt('b'), interrupt('a')],
          answered: [],
          mustAnswer: false,
          messages: [{ id: 'u1', role: 'user', content: 'hé\u0000}{' }],
          state: { list: [], none: null, deep: { list: [{}] } },
          session: { seen: [] },
        });
      });

      it.each([0, '', false, null, [], 'text'])(
        'a state that is %j',
        async (state) => {
          const { recordOf } = await setUp({ state });
          expect((await recordOf()).state).toEqual(state);
        },
      );

      it('what a run had written into its session only if it says so', async () => {
        const { begin, recordOf } = await setUp({ session: { n: 1 } });
        const lease = await begin();
        lease.record.session['n'] = 2;
        expect((await recordOf()).session).toEqual({ n: 1 });
        await lease.end({ session: lease.record.session });
        expect((await recordOf()).session).toEqual({ n: 2 });
      });

      it('what the first of two ends of a lease says', async () => {
        const { here, key, begin, recordOf } = await setUp({
          interrupts: [interrupt('i1')],
        });
        const lease = await begin();
        await lease.end();
        const next = await begin('r2');
        await lease.end({ interrupts: [] });
        expect(await here.begin(key, 'r3')).toBeUndefined();
        await next.end();
        expect((await recordOf()).interrupts).toHaveLength(1);
      });
    });

    describe('gives an interrupt', () => {
      it('to one claim', async () => {
        const { begin, recordOf } = await setUp({
          interrupts: [interrupt('i1'), interrupt('i2')],
        });
        const lease = await begin();
        const claims = await Promise.all(
          Array.from({ length: 5 }, () => lease.claim('i1')),
        );
        expect(claims.filter(Boolean)).toHaveLength(1);
        expect(await lease.claim('other')).toBe(false);
        expect(lease.record.interrupts).toHaveLength(2);
        await lease.end();
        expect(await recordOf()).toMatchObject({
          interrupts: [interrupt('i2')],
          answered: [interrupt('i1')],
        });
      });

      it('to one claim, though an earlier run comes late', async () => {
        const { begin, there } = await setUp({ interrupts: [interrupt('i1')] });
        const late = await begin('r1');
        await late.end();
        const now = await begin('r2', there);
        expect(await late.claim('i1')).toBe(true);
        expect(await now.claim('i1')).toBe(false);
      });
    });

    describe('cancels', () => {
      it('the run, wherever it is, and no other', async () => {
        const { there, key, begin } = await setUp();
        const lease = await begin('r1');
        const stopped = once(lease.stop, 'abort');
        lease.start(EMPTY);
        expect(await there.cancel(key, 'r2')).toBe('unknown');
        expect(await there.cancel({ ...key, userId: 'eve' })).toBe('unknown');
        expect(await there.cancel(key, 'r1')).toBe('cancelled');
        await stopped;
        expect(lease.stop.reason).not.toBeInstanceOf(ThreadLostError);
        expect(await there.cancel(key, 'r1')).toBe('cancelled');
        await lease.end();
        expect(await there.cancel(key, 'r1')).toBe('over');
        expect(await there.cancel(key)).toBe('over');
      });

      it('whichever run there is', async () => {
        const { there, key, begin } = await setUp();
        const lease = await begin('r1');
        const stopped = once(lease.stop, 'abort');
        lease.start(EMPTY);
        expect(await there.cancel(key)).toBe('cancelled');
        await stopped;
        expect(lease.stop.reason).not.toBeInstanceOf(ThreadLostError);
      });
    });

    describe('lets others follow a run', () => {
      it('from its beginning, then live, to its end', async () => {
        const { there, key, begin } = await setUp();
        const lease = await begin();
        const message = { id: 'u', role: 'user' as const, content: 'hi' };
        lease.start({ messages: [message], state: { n: 1 } });
        lease.add(STARTED);
        lease.add(open('m'));
        lease.add(text('m', 'a'));
        lease.add(text('m', 'b'));
        const { run } = (await there.read(key, never()))!;
        expect(run).toMatchObject({
          runId: 'r1',
          start: { messages: [message], state: { n: 1 } },
        });
        const all = heard(run!);
        lease.add(text('m', 'c'));
        lease.add(close('m'));
        lease.add(FINISHED);
        await lease.end(lease.conversation());
        expect(await all).toEqual([
          STARTED,
          open('m'),
          text('m', 'abc'),
          close('m'),
          FINISHED,
        ]);
        const { run: after, record } = (await there.read(key, never()))!;
        expect(after).toBeUndefined();
        expect(record.messages).toEqual([
          message,
          { id: 'm', role: 'assistant', content: 'abc' },
        ]);
        expect(record.state).toEqual({ n: 1 });
      });

      it('several at once, here and there', async () => {
        const { here, there, key, begin } = await setUp();
        const lease = await begin();
        await saying(lease, 'one ');
        const early = await Promise.all(
          [here, there].map((store) => store.read(key, never())),
        );
        const all = early.map((view) => heard(view!.run!));
        lease.add(text('m', 'two '));
        const { run } = (await there.read(key, never()))!;
        all.push(heard(run!));
        lease.add(close('m'));
        lease.add(FINISHED);
        await lease.end();
        for (const one of await Promise.all(all))
          expect(one).toContainEqual(text('m', 'one two '));
      });

      it('until they leave', async () => {
        const { there, key, begin } = await setUp();
        const lease = await begin();
        await saying(lease, 'one');
        const patience = new AbortController();
        const { run } = (await there.read(key, patience.signal))!;
        const iterator = run!.events[Symbol.asyncIterator]();
        for (;;) {
          const { value } = await iterator.next();
          const last = (value as AguiEvent[]).at(-1);
          if (last?.type === EventType.TEXT_MESSAGE_CONTENT) break;
        }
        patience.abort();
        expect((await iterator.next()).done).toBe(true);
        await lease.end();
      });

      it('with the older events in the conversation when they are too many, and says so', async () => {
        const { there, key, begin } = await setUp();
        const lease = await begin();
        await saying(lease, 'start ');
        for (let n = 0; n < 50; n++)
          lease.add({
            type: EventType.CUSTOM,
            name: `note ${n}`,
            value: 'x'.repeat(100),
          });
        const run = await vi.waitFor(async () => {
          const view = await there.read(key, never());
          expect(view!.run!.start.messages).toEqual([
            { id: 'm', role: 'assistant', content: 'start ' },
          ]);
          return view!.run;
        });
        const all = heard(run!);
        lease.add(text('m', 'end'));
        lease.add(close('m'));
        lease.add(FINISHED);
        await lease.end(lease.conversation());
        const events = (await all) as { type: string; name?: string }[];
        expect(
          events.filter(({ name }) => name === EVENTS_DROPPED),
        ).toHaveLength(1);
        expect(events.filter(({ name }) => name === 'note 0')).toEqual([]);
        expect(events.filter(({ name }) => name === 'note 49')).toHaveLength(1);
        expect(events.filter(({ type }) => type !== 'CUSTOM')).toEqual([
          STARTED,
          open('m'),
          text('m', 'end'),
          close('m'),
          FINISHED,
        ]);
        expect((await there.read(key, never()))!.record.messages).toEqual([
          { id: 'm', role: 'assistant', content: 'start end' },
        ]);
      });

      it('who keep up, while older events go into the conversation', async () => {
        const { there, key, begin } = await setUp();
        const lease = await begin();
        await saying(lease, 'start');
        const { run } = (await there.read(key, never()))!;
        const heardNotes: string[] = [];
        const all = (async () => {
          for await (const some of run!.events)
            for (const event of some)
              if (event.type === EventType.CUSTOM) heardNotes.push(event.name);
        })();
        const notes = Array.from({ length: 60 }, (_, n) => `note ${n}`);
        for (const [n, name] of notes.entries()) {
          lease.add(note(name));
          if (n % 10 === 9)
            await vi.waitFor(
              () =>
                heardNotes.includes(name) ||
                Promise.reject(new Error(`${name} was not heard.`)),
              { interval: 5 },
            );
        }
        lease.add(FINISHED);
        await lease.end();
        await all;
        expect(heardNotes).toEqual(notes);
      });

      it('to its last word, though those before are still on their way', async () => {
        const { there, key, begin } = await setUp();
        const lease = await begin();
        await saying(lease, 'start');
        const { run } = (await there.read(key, never()))!;
        const all = heard(run!);
        for (let n = 0; n < 12; n++) lease.add(note(`note ${n}`));
        lease.add(close('m'));
        lease.add(FINISHED);
        await lease.end();
        expect((await all).slice(-2)).toEqual([close('m'), FINISHED]);
      });

      it('to its end, though the next one has begun', async () => {
        const { here, there, key, begin } = await setUp();
        const lease = await begin();
        await saying(lease, 'start');
        const { run } = (await there.read(key, never()))!;
        const iterator = run!.events[Symbol.asyncIterator]();
        await iterator.next();
        lease.add(close('m'));
        lease.add(FINISHED);
        await lease.end();
        const next = (await here.begin(key, 'r2'))!;
        await saying(next, 'other');
        await vi.waitFor(async () => {
          const view = await there.read(key, AbortSignal.abort());
          expect(view!.run?.runId).toBe('r2');
        });
        const rest: AguiEvent[] = [];
        for (;;) {
          const { done, value } = await iterator.next();
          if (done) break;
          rest.push(...value);
        }
        expect(rest.at(-1)).toEqual(FINISHED);
        expect(rest).not.toContainEqual(text('m', 'other'));
        await next.end();
      });

      it('who are too slow no longer', async () => {
        const { there, key, begin } = await setUp();
        const lease = await begin();
        await saying(lease, 'start');
        const { run } = (await there.read(key, never()))!;
        const iterator = run!.events[Symbol.asyncIterator]();
        await iterator.next();
        for (let round = 0; round < 3; round++)
          for (let n = 0; n < 50; n++)
            lease.add({
              type: EventType.CUSTOM,
              name: `note ${n}`,
              value: 'x'.repeat(1_000),
            });
        lease.add(FINISHED);
        await lease.end();
        const rest = (async () => {
          while (!(await iterator.next()).done);
        })();
        await expect(rest).rejects.toThrow('connect again');
      });
    });
  });
}
