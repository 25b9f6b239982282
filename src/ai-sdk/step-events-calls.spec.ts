import { InvalidToolInputError } from 'ai';
import { describe, expect, it } from 'vitest';
import { watchLogs } from '../adapter/adapter.fixture.js';
import { ToolSuspend } from './tool-suspend.js';
import {
  type Part,
  stepsOf,
  convert,
  eventsOf,
  start,
  call,
  outline,
} from './step-events.fixture.js';

const delta = (id: string, delta: string) => ({
  type: 'tool-input-delta',
  id,
  delta,
});
const result = (toolCallId: string, output: unknown, more: object = {}) => ({
  type: 'tool-result',
  toolCallId,
  toolName: 'f',
  output,
  ...more,
});
const failure = (toolCallId: string, error: unknown, more: object = {}) => ({
  type: 'tool-error',
  toolCallId,
  toolName: 'f',
  error,
  ...more,
});

describe('StepEvents', () => {
  const logs = watchLogs();

  describe('calls', () => {
    it('should come with the arguments as they are streamed, and once', () => {
      const named = { replyId: 'r0', toolCallId: 'c1', toolCallName: 'f' };

      expect(
        eventsOf(
          start('c1'),
          delta('c1', '{"a"'),
          delta('c1', ''),
          delta('c1', ':1}'),
          { type: 'tool-input-end', id: 'c1' },
          call('c1', { a: 1 }),
        ),
      ).toMatchObject([
        { type: 'TOOL_CALL_START', ...named },
        { type: 'TOOL_CALL_DELTA', toolCallId: 'c1', delta: '{"a"' },
        { type: 'TOOL_CALL_DELTA', toolCallId: 'c1', delta: ':1}' },
        { type: 'TOOL_CALL_END', ...named },
      ]);
    });

    it.each([
      ['that is handed over whole', [call('c1', { a: 1 })], '{"a":1}'],
      ['without arguments', [start('c1'), call('c1', {})], '{}'],
      ['with nothing for arguments', [call('c1', undefined)], '{}'],
      [
        'whose arguments are no JSON',
        [call('c1', '{"a":', { invalid: true })],
        '{"a":',
      ],
    ])('should have its arguments once: one %s', (_name, parts, args) => {
      expect(outline(eventsOf(...parts))).toEqual([
        'TOOL_CALL_START',
        `TOOL_CALL_DELTA ${args}`,
        'TOOL_CALL_END',
      ]);
    });

    it('should come one whole after the other when they are handed over whole', () => {
      const events = eventsOf(call('c1', { a: 1 }), call('c2', { b: 2 }));

      expect(
        events.map((event) => [
          event.type,
          'toolCallId' in event && event.toolCallId,
        ]),
      ).toEqual([
        ['TOOL_CALL_START', 'c1'],
        ['TOOL_CALL_DELTA', 'c1'],
        ['TOOL_CALL_END', 'c1'],
        ['TOOL_CALL_START', 'c2'],
        ['TOOL_CALL_DELTA', 'c2'],
        ['TOOL_CALL_END', 'c2'],
      ]);
    });

    it('should be open until they have their result', () => {
      const steps = stepsOf();
      convert(steps, call('c1', { a: 1 }), call('c2', {}), call('c3', {}));
      convert(steps, result('c2', 'ok'), failure('c3', new Error('no')));

      expect([...steps.open.values()]).toEqual([
        { toolCallId: 'c1', toolName: 'f', input: { a: 1 } },
      ]);
    });

    it('should have a result, of which nothing preliminary is told', () => {
      expect(
        outline(
          eventsOf(
            call('c1', {}),
            result('c1', 'half', { preliminary: true }),
            result('c1', { done: true }),
          ).slice(3),
        ),
      ).toEqual([
        'TOOL_RESULT_START',
        'TOOL_RESULT_DATA_DELTA {"done":true}',
        'TOOL_RESULT_END success',
      ]);
    });

    it('should tell why a call cannot be', () => {
      const error = new InvalidToolInputError({
        toolName: 'f',
        toolInput: '{',
        cause: 'cut',
      });
      const events = eventsOf(
        call('c1', '{', { invalid: true, error }),
        failure('c1', 'any text'),
      );

      expect(outline(events).slice(3)).toEqual([
        'TOOL_RESULT_START',
        `TOOL_RESULT_DATA_DELTA ${error.message}`,
        'TOOL_RESULT_END error',
      ]);
      expect(logs.warnings).toEqual([expect.stringContaining(error.name)]);
    });

    it('should remember those that are suspended or ask for consent', () => {
      const steps = stepsOf();
      const events = convert(
        steps,
        call('c1', {}),
        call('c2', {}),
        { type: 'tool-approval-request', toolCall: { toolCallId: 'c2' } },
        failure('c1', new ToolSuspend('elsewhere')),
      );

      expect(outline(events).join()).not.toContain('RESULT');
      expect([...steps.suspended]).toEqual([['c1', 'elsewhere']]);
      expect([...steps.asked]).toEqual(['c2']);
      expect([...steps.open.keys()]).toEqual(['c1', 'c2']);
    });

    it("should stay unseen when they are the agent's own affair", () => {
      const steps = stepsOf();
      const hidden = { toolName: 'hidden' };

      expect(
        convert(
          steps,
          start('c1', 'hidden'),
          delta('c1', '{}'),
          call('c1', {}, hidden),
          result('c1', 'ok', hidden),
          call('c2', {}, hidden),
          failure('c2', new Error('no'), hidden),
          call('c3', {}, hidden),
        ),
      ).toEqual([]);
      expect([...steps.giveUp(() => true)]).toEqual([]);
      expect(steps.open.size).toBe(0);
    });

    it('should be announced when the client has been told of them', async () => {
      const steps = stepsOf();
      const order: string[] = [];
      const announced = steps.announced('c1').then(() => order.push('run'));

      for (const { type } of steps.convert(call('c1', {}) as Part)) {
        await Promise.resolve();
        order.push(type);
      }
      await announced;
      await steps.announced('c1');

      expect(order).toEqual([
        'TOOL_CALL_START',
        'TOOL_CALL_DELTA',
        'TOOL_CALL_END',
        'run',
      ]);
    });

    it('should carry the signature that their provider wants back', () => {
      const google = { google: { thoughtSignature: 'sig' } };
      const events = eventsOf(
        call('c1', {}, { providerMetadata: google }),
        call('c2', {}, { providerMetadata: { openai: { itemId: 'x' } } }),
        call('c3', {}, { toolName: 'hidden', providerMetadata: google }),
      );

      expect(events.filter(({ type }) => type === 'AGUI_EVENT')).toEqual([
        {
          type: 'AGUI_EVENT',
          event: {
            type: 'REASONING_ENCRYPTED_VALUE',
            subtype: 'tool-call',
            entityId: 'c1',
            encryptedValue: JSON.stringify(google),
          },
        },
      ]);
    });

    it('should be answered when nobody will carry them out', () => {
      const steps = stepsOf();
      convert(
        steps,
        call('c1', {}),
        call('c2', {}, { toolName: 'frontend' }),
        call('c3', {}),
        call('c4', {}),
        { type: 'tool-approval-request', toolCall: { toolCallId: 'c3' } },
        failure('c4', new ToolSuspend()),
      );

      const events = [...steps.giveUp((name) => name === 'f')];

      expect(events).toMatchObject([
        { type: 'TOOL_RESULT_START', toolCallId: 'c1' },
        {
          data: {
            text: '"f" did not run, because the model\'s answer broke off.',
          },
        },
        { type: 'TOOL_RESULT_END', toolCallId: 'c1', state: 'error' },
      ]);
      expect([...steps.open.keys()]).toEqual(['c2', 'c3', 'c4']);
    });
  });
});
