import type { ContentPart, Message } from '@ag-ui/core';
import { describe, expect, it } from 'vitest';
import {
  converter,
  toMsg,
  bothWays,
} from './agui-message-converter.fixture.js';

describe('AguiMessageConverter', () => {
  describe('tool results', () => {
    const message = { id: 'm1', role: 'tool' as const, toolCallId: 'c1' };
    const resultOf = (given: object) => ({
      id: 'm1',
      role: 'tool' as const,
      content: [
        {
          type: 'tool_result' as const,
          id: 'c1',
          name: 'unknown',
          output: [{ type: 'text' as const, text: 'x' }],
          state: 'success' as const,
          ...given,
        },
      ],
    });

    it('should be converted with their media', () => {
      const part: ContentPart = {
        type: 'image',
        source: { type: 'url', value: 'https://x.test/a' },
      };

      expect(bothWays({ ...message, content: 'x' })).toEqual(resultOf({}));
      expect(bothWays({ ...message, content: '' })).toEqual(
        resultOf({ output: [] }),
      );
      expect(bothWays({ ...message, content: [part] })).toEqual(
        resultOf({
          output: [
            { type: 'image', source: { type: 'url', url: 'https://x.test/a' } },
          ],
        }),
      );
    });

    it('should keep their metadata', () => {
      const metadata = { a: 1 };

      expect(bothWays({ ...message, content: 'x', metadata })).toEqual({
        ...resultOf({ metadata }),
        metadata,
      });
    });

    it('should reach the model as failures, with the error for a text', () => {
      const [msg] = converter.toMsgs([
        { ...message, content: '', error: 'denied by the user' },
      ]);

      expect(msg).toEqual(
        resultOf({
          state: 'error',
          output: [{ type: 'text', text: 'denied by the user' }],
        }),
      );
      expect(converter.toAguiMessage(msg!)).toEqual([
        {
          ...message,
          content: 'denied by the user',
          error: 'denied by the user',
          metadata: { 'agui.toolResultState': 'error' },
        },
      ]);
    });

    it('should keep error and content apart', () => {
      const failed: Message = { ...message, content: 'half', error: 'broke' };

      const [msg] = converter.toMsgs([failed]);

      expect(msg!.content[0]).toMatchObject({
        state: 'error',
        output: [{ type: 'text', text: 'half' }],
      });
      expect(converter.toAguiMessage(msg!)).toEqual([
        { ...failed, metadata: { 'agui.toolResultState': 'error' } },
      ]);
    });

    it.each(['error', 'interrupted', 'denied'] as const)(
      'should keep the state %s',
      (state) => {
        const msg = resultOf({ state });

        const [back] = converter.toAguiMessage(msg);

        expect(back).toEqual({
          ...message,
          content: 'x',
          error: 'x',
          metadata: { 'agui.toolResultState': state },
        });
        expect(toMsg(back!)!.content[0]).toMatchObject({ state });
      },
    );

    it('should say the state if there is nothing else to say', () => {
      expect(
        converter.toAguiMessage(resultOf({ state: 'denied', output: [] })),
      ).toEqual([
        {
          ...message,
          content: '',
          error: 'denied',
          metadata: { 'agui.toolResultState': 'denied' },
        },
      ]);
    });

    it('should not believe a state that is none', () => {
      const metadata = { 'agui.toolResultState': 'running' };

      expect(
        toMsg({ ...message, content: 'x', metadata })!.content[0],
      ).toMatchObject({ state: 'success' });
    });

    it('should not be made of calls that are suspended', () => {
      expect(converter.toAguiMessage(resultOf({ state: 'running' }))).toEqual(
        [],
      );
    });
  });
});
