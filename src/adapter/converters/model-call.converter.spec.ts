import { describe, expect, it } from 'vitest';
import { AguiAgentAdapter } from '../agui-agent-adapter.js';
import {
  collect,
  convert,
  END,
  expectQuietLogs,
  FINISHED,
  inputOf,
  say,
  scripted,
  START,
  STARTED,
  text,
  watchLogs,
} from '../adapter.fixture.js';

const ON = { emitTokenUsage: true };
const modelCall = (usage: unknown, fields: object = {}) =>
  say('MODEL_CALL_END', { usage, ...fields });
const figures = (
  inputTokens: number,
  outputTokens: number,
  cachedTokens = 0,
  time = 0,
) => ({
  inputTokens,
  outputTokens,
  cachedTokens,
  totalTokens: inputTokens + outputTokens,
  time,
});
const usageEvent = (delta: object, cumulative: object, replyId = 'r1') => ({
  type: 'CUSTOM',
  name: 'token_usage',
  value: { delta, cumulative, modelCall: { replyId } },
});

describe('modelCallConverter', () => {
  expectQuietLogs();

  it('should say nothing of tokens unless asked to', async () => {
    const events = await convert([
      say('MODEL_CALL_START'),
      modelCall({ inputTokens: 1, outputTokens: 2 }),
    ]);

    expect(events).toEqual([STARTED, FINISHED]);
  });

  it('should tell what each call cost and what all of them did, and sum up at the end', async () => {
    const events = await convert(
      [
        say('MODEL_CALL_START'),
        modelCall({
          inputTokens: 10,
          outputTokens: 5,
          cachedTokens: 4,
          reasoningTokens: 2,
          time: 0.5,
        }),
        say('MODEL_CALL_START', { replyId: 'r2' }),
        modelCall(
          { inputTokens: 20, outputTokens: 1, cachedTokens: 6, time: 1.5 },
          { replyId: 'r2' },
        ),
      ],
      ON,
    );

    expect(events).toEqual([
      STARTED,
      usageEvent(figures(10, 5, 4, 0.5), figures(10, 5, 4, 0.5)),
      usageEvent(figures(20, 1, 6, 1.5), figures(30, 6, 10, 2), 'r2'),
      {
        ...FINISHED,
        usage: [
          {
            inputTokens: 30,
            outputTokens: 6,
            totalTokens: 36,
            cachedInputTokens: 10,
            reasoningTokens: 2,
          },
        ],
      },
    ]);
  });

  it.each([undefined, null])(
    'should say nothing of a call with the usage %j',
    async (usage) => {
      expect(await convert([modelCall(usage)], ON)).toEqual([
        STARTED,
        FINISHED,
      ]);
    },
  );

  it('should have one entry per provider and model, without counts that nobody reported', async () => {
    const openai = { provider: 'openai', model: 'gpt' };
    const other = { provider: 'other', model: 'small' };

    const events = await convert(
      [
        modelCall({ inputTokens: 1, outputTokens: 2 }, openai),
        modelCall({ inputTokens: 3, outputTokens: 0 }, other),
        modelCall(
          { inputTokens: 5, outputTokens: 6, cacheWriteTokens: 3 },
          openai,
        ),
      ],
      ON,
    );

    expect(events.at(-1)).toEqual({
      ...FINISHED,
      usage: [
        {
          ...openai,
          inputTokens: 6,
          outputTokens: 8,
          totalTokens: 14,
          cacheWriteInputTokens: 3,
        },
        { ...other, inputTokens: 3, outputTokens: 0, totalTokens: 3 },
      ],
    });
    expect(Object.keys((events.at(-1) as never)['usage'][1])).toEqual([
      'provider',
      'model',
      'inputTokens',
      'outputTokens',
      'totalTokens',
    ]);
  });

  it.each([undefined, null, NaN])(
    'should not make up a count that is %j',
    async (unknown) => {
      const events = await convert(
        [
          modelCall({
            inputTokens: unknown,
            outputTokens: 7,
            cachedTokens: unknown,
            time: unknown,
          }),
        ],
        ON,
      );

      expect(events).toEqual([
        STARTED,
        usageEvent(figures(0, 7), figures(0, 7)),
        { ...FINISHED, usage: [{ outputTokens: 7 }] },
      ]);
    },
  );

  it("should count subagents' calls, too", async () => {
    const source = 'main/researcher';
    const own = modelCall({ inputTokens: 1, outputTokens: 1 });
    const theirs = modelCall(
      { inputTokens: 2, outputTokens: 2 },
      { source, replyId: 'r9' },
    );
    const usage = [{ inputTokens: 3, outputTokens: 3, totalTokens: 6 }];

    expect(await convert([theirs, own], ON)).toEqual([
      STARTED,
      { type: 'RAW', event: theirs, source },
      usageEvent(figures(1, 1), figures(3, 3)),
      { ...FINISHED, usage },
    ]);
    expect(
      await convert([theirs, own], { ...ON, subagentEvents: 'native' }),
    ).toEqual([
      STARTED,
      usageEvent(figures(2, 2), figures(2, 2), 'r9'),
      usageEvent(figures(1, 1), figures(3, 3)),
      { ...FINISHED, usage },
    ]);
  });
});

describe('usage of a run that does not finish', () => {
  watchLogs();

  const script = [START, modelCall({ inputTokens: 1, outputTokens: 2 })];
  const usage = [{ inputTokens: 1, outputTokens: 2, totalTokens: 3 }];

  it('should be on RUN_ERROR', async () => {
    const agent = scripted(script, { error: new Error('no') });

    const events = await collect(
      new AguiAgentAdapter(agent, ON).run(inputOf()),
    );

    expect(events.at(-1)).toMatchObject({ type: 'RUN_ERROR', usage });
  });

  it('should be on the RUN_ERROR of an agent that ended too soon', async () => {
    const events = await collect(
      new AguiAgentAdapter(scripted(script), ON).run(inputOf()),
    );

    expect(events.at(-1)).toMatchObject({ type: 'RUN_ERROR', usage });
  });

  it('should be on the RUN_FINISHED of a cancelled run', async () => {
    const run = new AguiAgentAdapter(
      scripted([...script, text('a'), END]),
      ON,
    ).run(inputOf()) as AsyncIterable<never> & { cancel(): void };
    const events: unknown[] = [];
    for await (const event of run) {
      events.push(event);
      if ((event as { type: string }).type === 'CUSTOM') run.cancel();
    }

    expect(events.at(-1)).toEqual({
      ...FINISHED,
      outcome: { type: 'cancelled' },
      usage,
    });
  });

  it('should stay away unless asked for', async () => {
    const agent = scripted(script, { error: new Error('no') });

    const events = await collect(new AguiAgentAdapter(agent).run(inputOf()));

    expect(events.at(-1)).not.toHaveProperty('usage');
  });
});
