import { describe, expect, it } from 'vitest';
import { watchLogs } from '../adapter/adapter.fixture.js';
import {
  type Part,
  stepsOf,
  convert,
  eventsOf,
  text,
  start,
  call,
  outline,
} from './step-events.fixture.js';

const textEnd = { type: 'text-end', id: 't' };
const finishStep = (finishReason: string, rawFinishReason?: string) => ({
  type: 'finish-step',
  finishReason,
  rawFinishReason,
  usage: { inputTokens: 3, outputTokens: 2 },
  response: { modelId: 'm1' },
});

describe('StepEvents', () => {
  watchLogs();

  it('should begin a reply with each step, and say what it cost', () => {
    const steps = stepsOf();

    expect(
      convert(
        steps,
        { type: 'start' },
        { type: 'start-step' },
        finishStep('tool-calls', 'tool_calls'),
        { type: 'start-step' },
        finishStep('stop', 'stop'),
        { type: 'finish' },
      ),
    ).toEqual(
      ['r1', 'r2'].flatMap((replyId, step) => [
        {
          type: 'MODEL_CALL_START',
          replyId,
          provider: `acme-${step}`,
          model: 'm0',
        },
        {
          type: 'MODEL_CALL_END',
          replyId,
          provider: `acme-${step}`,
          model: 'm1',
          finishReason: ['tool-calls', 'stop'][step],
          usage: { inputTokens: 3, outputTokens: 2 },
        },
      ]),
    );
    expect(steps.finishReason).toBe('stop');
    expect(steps.begun).toBe(true);
  });

  it('should say that it was one step too many', () => {
    const steps = stepsOf({ maxSteps: 1 });

    expect(
      outline(convert(steps, { type: 'start-step' }, { type: 'start-step' })),
    ).toEqual(['MODEL_CALL_START', 'EXCEED_MAX_ITERS', 'MODEL_CALL_START']);
  });

  describe('text', () => {
    it('should come piece by piece', () => {
      expect(eventsOf(text('Hel'), text('lo'), textEnd)).toEqual([
        { type: 'TEXT_BLOCK_DELTA', replyId: 'r0', blockId: 't', delta: 'Hel' },
        { type: 'TEXT_BLOCK_DELTA', replyId: 'r0', blockId: 't', delta: 'lo' },
        { type: 'THINKING_BLOCK_END', replyId: 'r0', blockId: 't-think' },
        { type: 'TEXT_BLOCK_END', replyId: 'r0', blockId: 't' },
      ]);
    });

    it('should be freed of think tags, in each block by itself', () => {
      expect(
        outline(
          eventsOf(
            text('<thi', 'a'),
            text('<think>B', 'b'),
            text('nk>A</think>a', 'a'),
            text('</think>b', 'b'),
          ),
        ),
      ).toEqual([
        'THINKING_BLOCK_DELTA B',
        'THINKING_BLOCK_DELTA A',
        'TEXT_BLOCK_DELTA a',
        'TEXT_BLOCK_DELTA b',
      ]);
    });

    it('should keep think tags if they are not wanted out', () => {
      const steps = stepsOf({ thinkTags: false });

      expect(outline(convert(steps, text('<think>a</think>b')))).toEqual([
        'TEXT_BLOCK_DELTA <think>a</think>b',
      ]);
    });

    it('should not come behind a call that it came before', () => {
      for (const next of [start('c1'), call('c1', {})])
        expect(outline(eventsOf(text('1 <'), next)).slice(0, 3)).toEqual([
          'TEXT_BLOCK_DELTA 1 ',
          'TEXT_BLOCK_DELTA <',
          'TOOL_CALL_START',
        ]);
    });
  });

  describe('reasoning', () => {
    const part = (kind: string, more: object = {}) => ({
      type: `reasoning-${kind}`,
      id: 'k',
      ...more,
    });
    const end = (encryptedValue: string | undefined) => ({
      type: 'THINKING_BLOCK_END',
      replyId: 'r0',
      blockId: 'k',
      encryptedValue,
    });
    const metadata = { acme: { signature: 'sig' } };
    const sealed = JSON.stringify(metadata);

    it('should come piece by piece', () => {
      expect(
        eventsOf(part('start'), part('delta', { text: 'Hm' }), part('end')),
      ).toEqual([
        {
          type: 'THINKING_BLOCK_DELTA',
          replyId: 'r0',
          blockId: 'k',
          delta: 'Hm',
        },
        end(undefined),
      ]);
    });

    it.each([0, 1, 2])(
      'should end with the artefact of its provider, whichever part has it (%i)',
      (index) => {
        const parts = [part('start'), part('delta', { text: '' }), part('end')];
        parts[index] = {
          ...parts[index]!,
          providerMetadata: metadata,
        } as never;

        expect(eventsOf(...parts).at(-1)).toEqual(end(sealed));
      },
    );

    it('should end with the latest artefact, which is none of another block', () => {
      const events = eventsOf(
        part('start', { providerMetadata: { acme: { id: 1 } } }),
        part('end', { providerMetadata: metadata }),
        part('start'),
        part('end'),
      );

      expect(events).toEqual([end(sealed), end(undefined)]);
    });
  });

  describe('failures', () => {
    it('should throw what the stream says is wrong, as an error', () => {
      const error = new Error('broken');

      expect(() => eventsOf({ type: 'error', error })).toThrow(error);
      expect(() => eventsOf({ type: 'error', error: { code: 7 } })).toThrow(
        new Error('{ code: 7 }'),
      );
      expect(() => eventsOf({ type: 'error', error: undefined })).toThrow(
        new Error('undefined'),
      );
    });

    it('should say so when the model calls tools in the answer that may have none', () => {
      const error = Object.assign(new Error('tool choice'), {
        name: 'AI_ToolChoiceViolationError',
      });
      const step = { type: 'start-step' };
      const violation = { type: 'error', error };

      expect(() => eventsOf(step, step, step, violation)).toThrow(
        expect.objectContaining({ code: 'MAX_ITERATIONS', cause: error }),
      );
      // The application's own settings can forbid tools as well.
      expect(() => eventsOf(step, step, violation)).toThrow(error);
    });

    it.each([
      ['Chunk timeout of 50ms exceeded', 'TimeoutError'],
      ['The operation was aborted due to timeout', 'TimeoutError'],
      ['This operation was aborted', 'AbortError'],
      [undefined, 'AbortError'],
    ])('should throw when the call was aborted: %s', (reason, name) => {
      expect(() => eventsOf({ type: 'abort', reason })).toThrow(
        expect.objectContaining({ name }),
      );
    });

    it.each([
      ['content-filter', 'content_filter', 'CONTENT_FILTER'],
      ['content-filter', undefined, 'CONTENT_FILTER'],
      ['other', undefined, 'INCOMPLETE_ANSWER'],
      ['interrupted', undefined, 'INCOMPLETE_ANSWER'],
    ])(
      'should not take for an answer what ended with %s (%s)',
      (reason, raw, code) => {
        const steps = stepsOf();
        const conversion = steps.convert(finishStep(reason, raw) as Part);

        expect(conversion.next().value).toMatchObject({
          type: 'MODEL_CALL_END',
        });
        expect(() => conversion.next()).toThrow(
          expect.objectContaining({ code }),
        );
      },
    );

    it.each([
      ['stop', undefined],
      ['length', 'length'],
      ['other', 'eos'],
    ])('should take for an answer what ended with %s (%s)', (reason, raw) => {
      expect(outline(eventsOf(finishStep(reason, raw)))).toEqual([
        'MODEL_CALL_END',
      ]);
    });
  });

  it('should skip parts that it does not know', () => {
    for (const type of [
      'file',
      'source',
      'raw',
      'ping',
      'custom',
      'text-start',
    ])
      expect(eventsOf({ type })).toEqual([]);
  });
});
