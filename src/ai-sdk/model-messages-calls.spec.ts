import { describe, expect, it } from 'vitest';
import {
  converted,
  user,
  assistant,
  tool,
  reasoning,
  text,
  call,
  result,
} from './model-messages.fixture.js';

const unanswered = (id: string) =>
  result(id, { type: 'error-text', value: 'This call was not answered.' });

describe('toModelMessages', () => {
  describe('tool calls', () => {
    it('should answer a call that the client lost the result of', () => {
      const { messages, repairs } = converted([
        user('Weather?'),
        assistant(undefined, 'c1'),
        assistant('sunny'),
        user('And tomorrow?'),
      ]);

      expect(messages).toEqual([
        { role: 'user', content: [text('Weather?')] },
        { role: 'assistant', content: [call('c1')] },
        { role: 'tool', content: [unanswered('c1')] },
        { role: 'assistant', content: [text('sunny')] },
        { role: 'user', content: [text('And tomorrow?')] },
      ]);
      expect(repairs).toEqual(['the call "c1", which has no result']);
    });

    it('should answer a call that the front end never answers', () => {
      const { messages } = converted([
        user('Show it.'),
        assistant(undefined, 'c1', 'c2'),
        tool('c2', 'shown'),
        user('Go on.'),
      ]);

      expect(messages[2]).toEqual({
        role: 'tool',
        content: [
          unanswered('c1'),
          result('c2', { type: 'text', value: 'shown' }),
        ],
      });
    });

    it.each([
      [{ content: 'denied', error: 'not allowed' }, 'denied'],
      [{ content: '', error: 'not allowed' }, 'not allowed'],
      [{ content: 'no', metadata: { 'agui.toolResultState': 'denied' } }, 'no'],
    ])('should keep a failure a failure: %j', (message, value) => {
      const { messages } = converted([
        assistant(undefined, 'c1'),
        tool('c1', message.content, message),
      ]);

      expect(messages[1]!.content).toEqual([
        result('c1', { type: 'error-text', value }),
      ]);
    });

    it('should put a result right behind its call, wherever the client has it', () => {
      const { messages, repairs } = converted([
        tool('c2', 'early'),
        user('Go.'),
        assistant(undefined, 'c1', 'c2'),
        user('Wait!'),
        tool('c1', 'late'),
      ]);

      expect(messages).toEqual([
        { role: 'user', content: [text('Go.')] },
        { role: 'assistant', content: [call('c1'), call('c2')] },
        {
          role: 'tool',
          content: [
            result('c1', { type: 'text', value: 'late' }),
            result('c2', { type: 'text', value: 'early' }),
          ],
        },
        { role: 'user', content: [text('Wait!')] },
      ]);
      expect(repairs).toEqual([]);
    });

    it('should leave out a result that no message calls for', () => {
      const { messages, repairs } = converted([user('Hi'), tool('c9', 'what')]);

      expect(messages).toEqual([{ role: 'user', content: [text('Hi')] }]);
      expect(repairs).toEqual(['a result for "c9", which no message calls']);
    });

    it('should take the first result of several, and the first call of several that have one id', () => {
      const { messages, repairs } = converted([
        assistant(undefined, 'c1'),
        tool('c1', 'first'),
        tool('c1', 'second'),
        assistant('Again.', 'c1'),
        tool('c1', 'third'),
      ]);

      expect(messages).toEqual([
        { role: 'assistant', content: [call('c1')] },
        {
          role: 'tool',
          content: [result('c1', { type: 'text', value: 'first' })],
        },
        { role: 'assistant', content: [text('Again.')] },
      ]);
      expect(repairs).toEqual(['the call "c1", which is there more than once']);
    });

    it('should join what the client has as several messages of one turn', () => {
      const { messages } = converted([
        reasoning('Hm.'),
        assistant('I look.'),
        assistant(undefined, 'c1'),
        assistant(undefined, 'c2'),
        tool('c1', 'one'),
        tool('c2', 'two'),
        reasoning('So.'),
        assistant('Done.'),
      ]);

      expect(messages.map(({ role }) => role)).toEqual([
        'assistant',
        'tool',
        'assistant',
      ]);
      expect(messages[0]!.content).toEqual([
        text('<think>Hm.</think>'),
        text('I look.'),
        call('c1'),
        call('c2'),
      ]);
    });

    it.each(['', ' ', 'cut {', '[1]', 'null', '7'])(
      'should take arguments that are no object for none: %j',
      (args) => {
        const { messages } = converted([
          {
            role: 'assistant',
            toolCalls: [
              {
                id: 'c1',
                type: 'function',
                function: { name: 'ping', arguments: args },
              },
            ],
          } as never,
          tool('c1', ''),
        ]);

        expect(messages).toMatchObject([
          { content: [{ toolName: 'ping', input: {} }] },
          { content: [{ output: { type: 'text', value: '' } }] },
        ]);
      },
    );

    it('should keep the files of a result', () => {
      const { messages } = converted([
        assistant(undefined, 'c1'),
        tool('c1', [
          text('a chart'),
          {
            type: 'image',
            source: { type: 'data', value: 'aaaa', mimeType: 'image/png' },
          },
          {
            type: 'document',
            source: { type: 'data', value: 'bbbb', mimeType: 'text/csv' },
          },
          { type: 'image', source: { type: 'url', value: 'https://a.b/c' } },
        ]),
      ]);

      expect(messages[1]!.content).toEqual([
        result('c1', {
          type: 'content',
          value: [
            text('a chart'),
            { type: 'image-data', data: 'aaaa', mediaType: 'image/png' },
            { type: 'file-data', data: 'bbbb', mediaType: 'text/csv' },
          ],
        }),
      ]);
    });
  });
});
