import { EventType } from '@ag-ui/core';
import { describe, expect, it, vi } from 'vitest';
import type { AguiEvent } from '../protocol/agui-event.js';
import { EVENTS_DROPPED } from './run-log.js';
import type { FollowedRun } from './thread-store.js';
import {
  STARTED,
  FINISHED,
  open,
  text,
  close,
  note,
  never,
  setUpThread,
  saying,
  type MakeStores,
} from './thread-under-test.fixture.js';

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

/** How a store lets others hear a run. */
export function describeFollowing(make: MakeStores): void {
  describe('lets others follow a run', () => {
    it('from its beginning, then live, to its end', async () => {
      const { there, key, begin } = await setUpThread(make);
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
      const { here, there, key, begin } = await setUpThread(make);
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
      const { there, key, begin } = await setUpThread(make);
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
      const { there, key, begin } = await setUpThread(make);
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
      expect(events.filter(({ name }) => name === EVENTS_DROPPED)).toHaveLength(
        1,
      );
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
      const { there, key, begin } = await setUpThread(make);
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
      const { there, key, begin } = await setUpThread(make);
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
      const { here, there, key, begin } = await setUpThread(make);
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
      const { there, key, begin } = await setUpThread(make);
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
}
