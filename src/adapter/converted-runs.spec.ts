import { describe, expect, it } from 'vitest';
import { RuntimeContext } from '../agent/runtime-context.js';
import type { AguiEvent } from '../protocol/agui-event.js';
import {
  collect,
  FINISHED,
  inputOf,
  STARTED,
  watchLogs,
} from './adapter.fixture.js';
import { adapterRun } from './converted-runs.js';

describe("adapterRun (an adapter of the application's)", () => {
  watchLogs();

  const message = [
    { type: 'TEXT_MESSAGE_START', messageId: 'r1', role: 'assistant' },
    { type: 'TEXT_MESSAGE_CONTENT', messageId: 'r1', delta: 'hi' },
    { type: 'TEXT_MESSAGE_END', messageId: 'r1' },
  ];

  it('should make a legal stream of whatever that adapter says, once', async () => {
    const adapter = {
      async *run() {
        yield message[1] as AguiEvent;
        yield FINISHED as AguiEvent;
        yield FINISHED as AguiEvent;
      },
    };

    const run = adapterRun(adapter, inputOf(), new RuntimeContext(), {});

    expect(await collect(run)).toEqual([STARTED, ...message, FINISHED]);
  });

  it('should tell that adapter when to stop', async () => {
    let signal: AbortSignal | undefined;
    const adapter = {
      async *run(_: unknown, context?: RuntimeContext) {
        signal = context!.signal;
        yield STARTED as AguiEvent;
        await new Promise(() => {});
      },
    };
    const run = adapterRun(adapter, inputOf(), new RuntimeContext(), {});
    const events: AguiEvent[] = [];
    for await (const event of run) {
      events.push(event);
      run.cancel();
    }

    expect(events).toEqual([
      STARTED,
      { ...FINISHED, outcome: { type: 'cancelled' } },
    ]);
    expect(signal!.aborted).toBe(true);
  });
});
