import { describe, expect, it, vi } from 'vitest';
import type { AgentEvent } from '../agent/agent-event.js';
import { RuntimeContext } from '../agent/runtime-context.js';
import type { AguiEvent } from '../protocol/agui-event.js';
import {
  BaseEventPropertiesEnricher,
  type AguiEventEnricher,
} from './agui-event-enricher.js';
import { AguiAgentAdapter } from './agui-agent-adapter.js';
import {
  agentOf,
  collect,
  convert,
  END,
  FINISHED,
  inputOf,
  runOf,
  say,
  scripted,
  START,
  STARTED,
  text,
  watchLogs,
} from './adapter.fixture.js';

type Enrich = AguiEventEnricher['enrich'];

const enriching = (enrich: Enrich): AguiEventEnricher => ({ enrich });
const custom = (name: string) =>
  ({ type: 'CUSTOM', name, value: null }) as AguiEvent;
const START_R1 = {
  type: 'TEXT_MESSAGE_START',
  messageId: 'r1',
  role: 'assistant',
};
const HI = { type: 'TEXT_MESSAGE_CONTENT', messageId: 'r1', delta: 'hi' };
const END_R1 = { type: 'TEXT_MESSAGE_END', messageId: 'r1' };
const ERROR = {
  type: 'RUN_ERROR',
  message: 'The agent failed. The server log says why.',
  code: 'INTERNAL_ERROR',
  timestamp: expect.any(Number),
};

describe('AguiEventEnricher', () => {
  const logs = watchLogs();

  it('should be given each agent event with what it became, and null for what the module made', async () => {
    const seen: [unknown, string[]][] = [];
    const noting = enriching((source, events) => {
      seen.push([source, events.map(({ type }) => type)]);
      return events;
    });
    const hi = text('hi');

    await convert([hi, say('TEXT_BLOCK_START', { blockId: 'b2' })], {
      enrichers: [noting],
    });

    expect(seen).toEqual([
      [null, ['RUN_STARTED']],
      [START, []],
      [hi, ['TEXT_MESSAGE_START', 'TEXT_MESSAGE_CONTENT']],
      [say('TEXT_BLOCK_START', { blockId: 'b2' }), []],
      [END, ['TEXT_MESSAGE_END', 'RUN_FINISHED']],
    ]);
    expect(logs.warnings).toEqual([]);
  });

  it('should work in order, each on what the one before returned', async () => {
    const adding = (mark: string) =>
      enriching((_, events) =>
        events.map((event) =>
          event.type === 'TEXT_MESSAGE_CONTENT'
            ? { ...event, delta: event.delta + mark }
            : event,
        ),
      );

    const events = await convert([text('hi')], {
      enrichers: [adding('1'), adding('2')],
    });

    expect(events).toEqual([
      STARTED,
      START_R1,
      { ...HI, delta: 'hi12' },
      END_R1,
      FINISHED,
    ]);
  });

  it('should be able to add, to leave out, and to expose the agent event', async () => {
    const enricher = enriching((source, events) => [
      ...events.filter(({ type }) => type !== 'RAW'),
      ...(source?.type === 'HINT_BLOCK' ? [custom('hint')] : []),
    ]);
    const exposing = enriching((source, events) =>
      events.map((event) =>
        source === null ? event : { ...event, rawEvent: source },
      ),
    );

    const hint = say('HINT_BLOCK');
    const events = await convert([hint], { enrichers: [enricher, exposing] });

    expect(events).toEqual([
      STARTED,
      { ...custom('hint'), rawEvent: hint },
      { ...FINISHED, rawEvent: END },
    ]);
  });

  it('should have a memory for the run in its context', async () => {
    const numbering = enriching((_, events, context) =>
      events.map((event) => {
        const n = Number(context.attributes.get('n') ?? 0) + 1;
        context.attributes.set('n', n);
        return { ...event, metadata: { n } };
      }),
    );
    const run = () => convert([text('hi')], { enrichers: [numbering] });

    for (const events of [await run(), await run()])
      expect(events.map(({ metadata }) => metadata?.['n'])).toEqual([
        1, 2, 3, 4, 5,
      ]);
  });

  it('should fail the run when it throws, and the client still learns how it ended', async () => {
    const failing = enriching((source, events) => {
      if (source?.type === 'HINT_BLOCK') throw new Error('secret');
      return events;
    });

    const events = await convert([text('hi'), say('HINT_BLOCK')], {
      enrichers: [failing],
    });

    expect(events).toEqual([STARTED, START_R1, HI, END_R1, ERROR]);
  });

  it('should not be able to keep a failure back by failing always', async () => {
    const failing = enriching(() => {
      throw new Error('always');
    });

    expect(await convert([text('hi')], { enrichers: [failing] })).toEqual([
      STARTED,
      ERROR,
    ]);
    expect(logs.errors).toHaveLength(2);
  });

  it('should close what is open even if it fails at the end', async () => {
    const failing = enriching((source, events) => {
      if (source === null && events.length > 1) throw new Error('at the end');
      return events;
    });
    const agent = scripted([START, text('hi')], { error: new Error('no') });

    const events = await collect(
      new AguiAgentAdapter(agent, { enrichers: [failing] }).run(inputOf()),
    );

    expect(events).toEqual([STARTED, START_R1, HI, END_R1, ERROR]);
  });

  it.each([undefined, null, {}, 'events'])(
    'should fail the run when it returns %j',
    async (nonsense) => {
      class Careless implements AguiEventEnricher {
        enrich(source: AgentEvent | null, events: AguiEvent[]) {
          return source === null ? events : (nonsense as never);
        }
      }

      const events = await convert([text('hi')], {
        enrichers: [new Careless()],
        exposeErrors: true,
      });

      expect(events).toEqual([
        STARTED,
        {
          ...ERROR,
          message: 'The enricher Careless returned no list of events.',
        },
      ]);
    },
  );

  it('should be refused if it is asynchronous', async () => {
    class Late {
      async enrich(source: AgentEvent | null, events: AguiEvent[]) {
        await Promise.resolve();
        if (source !== null) throw new Error('nobody would catch this');
        return events;
      }
    }

    const events = await convert([text('hi')], {
      enrichers: [new Late() as never],
      exposeErrors: true,
    });

    expect(events).toEqual([
      STARTED,
      {
        ...ERROR,
        message:
          'The extension Late is asynchronous; what it has to say must be said when it returns.',
      },
    ]);
  });

  it.each(['RUN_STARTED', 'RUN_FINISHED', 'RUN_ERROR'])(
    'should not be able to take %s from the client',
    async (type) => {
      const dropping = enriching((_, events) =>
        events.filter((event) => event.type !== type),
      );
      const config = { enrichers: [dropping] };
      const failing = new AguiAgentAdapter(
        scripted([START], { error: new Error('no') }),
        config,
      );

      const [first, ...rest] = await convert([], config);
      const failed = await collect(failing.run(inputOf()));

      expect(first).toEqual(STARTED);
      expect(rest).toEqual([
        type === 'RUN_FINISHED'
          ? { ...ERROR, message: 'The agent ended before it finished the run.' }
          : FINISHED,
      ]);
      expect(failed).toEqual([STARTED, ERROR]);
    },
  );

  it('should not be able to keep the client from learning of a cancel', async () => {
    const stop = new AbortController();
    const dropping = enriching((_, events) =>
      events.filter((event) => event.type !== 'RUN_FINISHED'),
    );
    const agent = agentOf(async function* () {
      yield START;
      stop.abort();
      yield END;
    });

    const events = await collect(
      new AguiAgentAdapter(agent, { enrichers: [dropping] }).run(
        inputOf(),
        new RuntimeContext({ signal: stop.signal }),
      ),
    );

    expect(events).toEqual([
      STARTED,
      { ...FINISHED, outcome: { type: 'cancelled' } },
    ]);
  });

  it('should see what closes a cancelled run', async () => {
    const marking = enriching((_, events) =>
      events.map((event) => ({ ...event, metadata: { seen: true } })),
    );
    const stop = new AbortController();
    const agent = agentOf(async function* () {
      yield START;
      yield text('hi');
      stop.abort();
    });

    const events = await collect(
      new AguiAgentAdapter(agent, { enrichers: [marking] }).run(
        inputOf(),
        new RuntimeContext({ signal: stop.signal }),
      ),
    );

    const metadata = { seen: true };
    expect(events).toEqual([
      { ...STARTED, metadata },
      { ...START_R1, metadata },
      { ...HI, metadata },
      { ...END_R1, metadata },
      { ...FINISHED, outcome: { type: 'cancelled' }, metadata },
    ]);
  });

  it('should see the end that the module makes when the agent made none', async () => {
    const marking = enriching((source, events) =>
      events.map((event) => ({
        ...event,
        metadata: { by: source?.type ?? null },
      })),
    );

    const events = await runOf([START, text('hi')], { enrichers: [marking] });

    const by = (type: string | null) => ({ metadata: { by: type } });
    expect(events).toEqual([
      { ...STARTED, ...by(null) },
      { ...START_R1, ...by('TEXT_BLOCK_DELTA') },
      { ...HI, ...by('TEXT_BLOCK_DELTA') },
      { ...END_R1, ...by(null) },
      {
        ...ERROR,
        message: 'The agent ended before it finished the run.',
        ...by(null),
      },
    ]);
  });
});

describe('BaseEventPropertiesEnricher', () => {
  watchLogs();

  it('should fill in missing timestamps, and nothing else', () => {
    vi.spyOn(Date, 'now').mockReturnValue(1234);
    const events = [
      custom('a'),
      { ...custom('b'), timestamp: 1 },
      { ...custom('c'), timestamp: 0 },
      { ...custom('d'), timestamp: null as never },
    ];

    const enriched = new BaseEventPropertiesEnricher().enrich(START, events);

    expect(enriched).toEqual([
      { ...custom('a'), timestamp: 1234 },
      { ...custom('b'), timestamp: 1 },
      { ...custom('c'), timestamp: 0 },
      { ...custom('d'), timestamp: 1234 },
    ]);
  });

  it('should not be there by default', async () => {
    for (const event of await convert([text('hi')]))
      expect(event).not.toHaveProperty('timestamp');
  });

  it('should come last when it is enabled', async () => {
    const adding = enriching((source, events) =>
      source?.type === 'HINT_BLOCK' ? [...events, custom('added')] : events,
    );

    const events = await convert([text('hi'), say('HINT_BLOCK')], {
      baseEventPropertiesEnricherEnabled: true,
      enrichers: [adding],
    });

    expect(events).toHaveLength(7);
    for (const event of events) {
      expect(event.timestamp).toEqual(expect.any(Number));
      expect(event).not.toHaveProperty('rawEvent');
    }
  });
});
