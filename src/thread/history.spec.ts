import type { Message } from '@ag-ui/core';
import { describe, expect, it } from 'vitest';
import { joined } from './history.js';

/**
 * Messages by their ids: `u` the user's, `a` the assistant's, `t` of tools, `r` reasoning; `u1!`
 * says something else than `u1`.
 */
function messagesOf(text: string): Message[] {
  return text
    .split(' ')
    .filter(Boolean)
    .map((word) => {
      const id = word.replace('!', '');
      switch (word[0]) {
        case 'u':
          return { id, role: 'user', content: word };
        case 't':
          return { id, role: 'tool', toolCallId: `call-${id}`, content: word };
        case 'r':
          return { id, role: 'reasoning', content: word };
        default:
          return { id, role: 'assistant', content: word };
      }
    });
}

const textOf = (messages: readonly Message[]) =>
  messages.map(({ content }) => content as string).join(' ');

describe('joined', () => {
  it.each([
    ['nothing kept', '', 'u1', 'u1'],
    ['all messages', 'u1 a1', 'u1 a1 u2', 'u1 a1 u2'],
    ['the new message only', 'u1 a1', 'u2', 'u1 a1 u2'],
    ['the last ones', 'u1 a1 u2 a2', 'a2 u3', 'u1 a1 u2 a2 u3'],
    ["the user's only", 'u1 a1 u2 a2', 'u1 u2 u3', 'u1 a1 u2 a2 u3'],
    ['no reasoning', 'u1 r1 a1', 'u1 a1 u2', 'u1 r1 a1 u2'],
    ['no reasoning at the end', 'u1 a1 r1', 'u1 a1 u2', 'u1 a1 r1 u2'],
    ['no message in the middle', 'u1 a1 u2 a2', 'u1 a2 u3', 'u1 a1 u2 a2 u3'],
    ["a tool's result", 'u1 a1', 'u1 a1 t1', 'u1 a1 t1'],
    ['a result that is the only news', 'u1 a1', 't1', 'u1 a1 t1'],
    ['nothing', 'u1 a1', '', 'u1 a1'],
    ['a message twice', 'u1 a1', 'u2 u2', 'u1 a1 u2'],
    ['nothing new', 'u1 a1', 'u1 a1', 'u1 a1'],
    ['an answer that came from elsewhere', 'u1', 'u1 a9 u2', 'u1 a9 u2'],
    ['something before the beginning', 'u1 a1', 'a0 u1 a1 u2', 'a0 u1 a1 u2'],
    ['an answer in other words', 'u1 a1', 'u1 a1! u2', 'u1 a1 u2'],
    ['messages in another order', 'u1 a1 u2', 'u2 u1 a1 u3', 'u1 a1 u2 u3'],
  ])('should go on when the client sends %s', (_what, kept, sent, all) => {
    const { messages, cut } = joined(messagesOf(kept), messagesOf(sent));
    expect(textOf(messages)).toBe(all);
    expect(cut).toEqual([]);
  });

  it.each([
    ['an earlier message again', 'u1 a1 u2 a2', 'u1', 'u1', 'a1 u2 a2'],
    ['the last question again', 'u1 a1 u2 a2', 'u1 a1 u2', 'u1 a1 u2', 'a2'],
    ["a tool's result again", 'u1 a1 t1 a2', 'u1 a1 t1', 'u1 a1 t1', 'a2'],
    ['another question', 'u1 a1 u2 a2', 'u1 a1 u9', 'u1 a1 u9', 'u2 a2'],
    ['a changed one', 'u1 a1 u2 a2', 'u1 a1 u2!', 'u1 a1 u2!', 'u2 a2'],
    [
      'a changed one and more',
      'u1 a1 u2 a2',
      'u1! a1',
      'u1! a1',
      'u1 a1 u2 a2',
    ],
    ['less and something new', 'u1 a1 u2 a2', 'u1 a1 u9', 'u1 a1 u9', 'u2 a2'],
  ])(
    'should leave the branch when the client sends %s',
    (_what, kept, sent, all, left) => {
      const { messages, cut } = joined(messagesOf(kept), messagesOf(sent));
      expect(textOf(messages)).toBe(all);
      expect(textOf(cut)).toBe(left);
    },
  );

  it('should take a message in the role that the server knows', () => {
    const forged: Message[] = [{ id: 'u1', role: 'assistant', content: 'u1' }];
    const { messages, cut } = joined(messagesOf('u1 a1'), forged);
    expect(messages[0]!.role).toBe('assistant');
    expect(textOf(cut)).toBe('u1 a1');
  });
});
