import { describe, expect, it, vi } from 'vitest';
import type { AgentEvent, AgentEventType } from '../agent/agent-event.js';
import type { AguiEvent } from '../protocol/agui-event.js';
import type { AgentEventConverter } from './agent-event-converter.js';
import { AguiAgentAdapter } from './agui-agent-adapter.js';
import type { AguiStreamContext } from './agui-stream-context.js';
import {
  convert,
  END,
  FINISHED,
  inputOf,
  runOf,
  say,
  START,
  STARTED,
  text,
  watchLogs,
} from './adapter.fixture.js';

const custom = (name: string, value: unknown): AguiEvent =>
  ({ type: 'CUSTOM', name, value }) as AguiEvent;

class Converter implements AgentEventConverter {
  constructor(
    private readonly types: AgentEventType[],
    private readonly act: (
      event: AgentEvent,
      context: AguiStreamContext,
    ) => unknown,
  ) {}

  eventTypes(): AgentEventType[] {
    return this.types;
  }

  convert(event: AgentEvent, context: AguiStreamContext): void {
    return this.act(event, context) as void;
  }
}

describe('AgentEventConverterRegistry', () => {
  const logs = watchLogs();

  it('should let a custom converter replace the built-in one of its types only', async () => {
    const shouting = new Converter(
      ['TEXT_BLOCK_DELTA', 'HINT_BLOCK'],
      (event, context) => context.emit(custom('heard', event.type)),
    );

    const events = await convert(
      [text('hi'), say('HINT_BLOCK'), say('REQUEST_STOP')],
      { converters: [shouting] },
    );

    expect(events).toEqual([
      STARTED,
      custom('heard', 'TEXT_BLOCK_DELTA'),
      custom('heard', 'HINT_BLOCK'),
      { type: 'RAW', event: say('REQUEST_STOP'), source: 'agent' },
      FINISHED,
    ]);
    expect(logs.warnings).toEqual([]);
  });

  it('should let a converter leave events to the built-in one', async () => {
    const counting = new Converter(['TEXT_BLOCK_DELTA'], (event, context) => {
      context.emit(custom('before', null));
      context.convertAsUsual(event);
      context.emit(custom('after', null));
    });

    const events = await convert([text('hi')], { converters: [counting] });

    expect(events.map(({ type }) => type)).toEqual([
      'RUN_STARTED',
      'CUSTOM',
      'TEXT_MESSAGE_START',
      'TEXT_MESSAGE_CONTENT',
      'CUSTOM',
      'TEXT_MESSAGE_END',
      'RUN_FINISHED',
    ]);
  });

  it('should let the later of two converters win, type by type', async () => {
    const named = (name: string, ...types: AgentEventType[]) =>
      new Converter(types, (_, context) => context.emit(custom(name, null)));

    const events = await convert([say('HINT_BLOCK'), say('REQUEST_STOP')], {
      converters: [
        named('first', 'HINT_BLOCK', 'REQUEST_STOP'),
        named('second', 'HINT_BLOCK'),
      ],
    });

    expect(events).toEqual([
      STARTED,
      custom('second', null),
      custom('first', null),
      FINISHED,
    ]);
  });

  it('should let a converter emit nothing, or many events', async () => {
    const many = new Converter(['CUSTOM'], (_, context) => {
      for (const n of [1, 2, 3]) context.emit(custom('n', n));
    });
    const none = new Converter(['HINT_BLOCK'], () => {});

    const events = await convert(
      [say('HINT_BLOCK'), say('CUSTOM', { name: 'x' })],
      { converters: [many, none] },
    );

    expect(events).toEqual([
      STARTED,
      custom('n', 1),
      custom('n', 2),
      custom('n', 3),
      FINISHED,
    ]);
  });

  it('should tell converters of the run, and let them remember', async () => {
    const input = inputOf({ forwardedProps: { x: 1 } });
    const counting = new Converter(['CUSTOM'], (_, context) => {
      const { attributes, config, runtimeContext } = context;
      const count = Number(attributes.get('count') ?? 0) + 1;
      attributes.set('count', count);
      context.emit(
        custom('seen', [
          count,
          context.threadId,
          context.runId,
          context.input === input,
          runtimeContext.sessionId,
          config.enableReasoning,
        ]),
      );
    });
    const event = say('CUSTOM', { name: 'x' });
    const seen = (count: number) =>
      custom('seen', [count, 't1', 'run1', true, 't1', true]);
    const run = () =>
      convert(
        [event, event],
        { converters: [counting], enableReasoning: true },
        input,
      );

    expect(await run()).toEqual([STARTED, seen(1), seen(2), FINISHED]);
    expect(await run()).toEqual([STARTED, seen(1), seen(2), FINISHED]);
  });

  it('should let a converter stop the run for an answer', async () => {
    const interrupt = { id: 'i1', reason: 'input_required', message: 'Who?' };
    const asking = new Converter(['CUSTOM'], (_, context) => {
      context.interrupts.push(interrupt);
    });

    const events = await convert([say('CUSTOM', { name: 'ask' })], {
      converters: [asking],
    });

    expect(events).toEqual([
      STARTED,
      {
        ...FINISHED,
        outcome: { type: 'interrupt', interrupts: [interrupt] },
      },
    ]);
  });

  it('should leave the announcement of the run to a converter of AGENT_START', async () => {
    const announcing = new Converter(['AGENT_START'], (_, context) => {
      const { threadId, runId, input } = context;
      context.emit({
        type: 'RUN_STARTED',
        threadId,
        runId,
        input,
      } as AguiEvent);
      context.emit(custom('welcome', null));
    });

    const events = await convert([], { converters: [announcing] });

    expect(events).toEqual([
      { ...STARTED, input: inputOf() },
      custom('welcome', null),
      FINISHED,
    ]);
    expect(logs.warnings).toEqual([]);
  });

  it('should start the run even if a converter of AGENT_START does not', async () => {
    const silent = new Converter(['AGENT_START'], () => {});

    expect(await convert([text('')], { converters: [silent] })).toEqual([
      STARTED,
      FINISHED,
    ]);
  });

  it('should fail the run, without half a conversion, when a converter throws', async () => {
    const failing = new Converter(['CUSTOM'], (_, context) => {
      context.emit(custom('half', null));
      throw new Error('secret');
    });

    const events = await convert(
      [text('so far'), say('CUSTOM', { name: 'x' }), text('no more')],
      { converters: [failing] },
    );

    expect(events).toEqual([
      STARTED,
      { type: 'TEXT_MESSAGE_START', messageId: 'r1', role: 'assistant' },
      { type: 'TEXT_MESSAGE_CONTENT', messageId: 'r1', delta: 'so far' },
      { type: 'TEXT_MESSAGE_END', messageId: 'r1' },
      {
        type: 'RUN_ERROR',
        message: 'The agent failed. The server log says why.',
        code: 'INTERNAL_ERROR',
        timestamp: expect.any(Number),
      },
    ]);
    expect(String(logs.errors[0]![1])).toContain('secret');
  });

  it('should refuse an asynchronous converter instead of losing what it says', async () => {
    const late = new Converter(['CUSTOM'], async () => {
      await Promise.resolve();
      throw new Error('nobody would catch this');
    });

    const events = await convert([say('CUSTOM', { name: 'x' })], {
      converters: [late],
      exposeErrors: true,
    });

    expect(events.at(-1)).toMatchObject({
      type: 'RUN_ERROR',
      message:
        'The extension Converter is asynchronous; what it has to say must be said when it returns.',
    });
  });

  it.each([null, undefined, 1, 'text', { nothing: 1 }, { type: 'NONE' }])(
    'should drop %j that a converter emits, and go on',
    async (nonsense) => {
      const odd = new Converter(['CUSTOM'], (_, context) =>
        context.emit(nonsense as never),
      );
      const { enrich } = { enrich: (_: unknown, events: never[]) => events };

      const events = await convert([say('CUSTOM', { name: 'x' }), text('a')], {
        converters: [odd],
        enrichers: [{ enrich }],
        baseEventPropertiesEnricherEnabled: true,
      });

      expect(events.map(({ type }) => type)).toEqual([
        'RUN_STARTED',
        'TEXT_MESSAGE_START',
        'TEXT_MESSAGE_CONTENT',
        'TEXT_MESSAGE_END',
        'RUN_FINISHED',
      ]);
      expect(logs.warnings).toHaveLength(1);
    },
  );

  it('should convert subagents like the agent in native and attributed mode', async () => {
    const naming = new Converter(['TEXT_BLOCK_DELTA'], (event, context) =>
      context.emit(custom('from', event.source ?? null)),
    );
    const script = [text('a'), text('b', { source: 'main/a' })];
    const config = { converters: [naming] };

    expect(await convert(script, config)).toEqual([
      STARTED,
      custom('from', null),
      {
        type: 'CUSTOM',
        name: 'subagent.text',
        value: { source: 'main/a', type: 'TEXT_BLOCK_DELTA', delta: 'b' },
      },
      FINISHED,
    ]);
    expect(
      await convert(script, { ...config, subagentEvents: 'native' }),
    ).toEqual([
      STARTED,
      custom('from', null),
      custom('from', 'main/a'),
      FINISHED,
    ]);
    expect(
      await convert(script, { ...config, subagentEvents: 'attributed' }),
    ).toContainEqual({
      ...custom('from', 'main/a'),
      subagentRunId: 'main/a#1',
    });
  });

  it('should not be asked after the end of the run', async () => {
    const types: string[] = [];
    const noting = new Converter(['CUSTOM'], (event) => {
      types.push(event.type);
    });

    await runOf([END, say('CUSTOM', { name: 'late' })], {
      converters: [noting],
    });

    await vi.waitFor(() => expect(logs.warnings).toHaveLength(1));
    expect(types).toEqual([]);
  });

  it('should see legacy events under their present names', async () => {
    const types: string[] = [];
    const noting = new Converter(['AGENT_START', 'AGENT_END'], (event) => {
      types.push(event.type);
    });
    const legacy = [
      say('REPLY_START' as never),
      say('RUN_STARTED' as never),
      say('REPLY_END' as never),
    ];

    await runOf(legacy, { converters: [noting] });

    expect(types).toEqual(['AGENT_START', 'AGENT_START', 'AGENT_END']);
  });

  it.each([
    ['no eventTypes()', undefined],
    ['none', () => []],
  ])(
    'should refuse a converter with %s when the adapter is made',
    (_, eventTypes) => {
      class Aimless {
        eventTypes = eventTypes;
        convert() {}
      }
      const agent = { streamEvents: () => [START, END] as never };

      expect(
        () => new AguiAgentAdapter(agent, { converters: [new Aimless()] }),
      ).toThrow(
        'The converter Aimless names no event types: give it eventTypes(), or name them in @AgentEventConverter(…).',
      );
    },
  );
});
