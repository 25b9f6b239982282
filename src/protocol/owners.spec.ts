import { describe, expect, it } from 'vitest';
import { Owners } from './owners.js';

describe('Owners', () => {
  it('should let the first to open an item own it', () => {
    const owners = new Owners();
    owners.open('text', 'm1', 's1');
    owners.open('text', 'm1', 's2');
    expect(owners.ownerOf('text', 'm1')).toEqual({ subagentRunId: 's1' });
    expect(owners.disagree('text', 'm1', 's1')).toBe(false);
    expect(owners.disagree('text', 'm1', 's2')).toBe(true);
  });

  it('should let a snapshot hand an item over', () => {
    const owners = new Owners();
    owners.open('activity', 'm1', 's1');
    owners.take('activity', 'm1', undefined);
    expect(owners.ownerOf('activity', 'm1')).toEqual({
      subagentRunId: undefined,
    });
    expect(owners.disagree('activity', 'm1', 's1')).toBe(true);
  });

  it('should read no tag, or an item that nobody opened, as no disagreement', () => {
    const owners = new Owners();
    owners.open('text', 'm1', 's1');
    expect(owners.disagree('text', 'm1', undefined)).toBe(false);
    expect(owners.disagree('text', 'm2', 's1')).toBe(false);
    expect(owners.ownerOf('text', 'm2')).toBeUndefined();
  });

  it('should keep kinds apart, and a subagent with an empty id from the agent', () => {
    const owners = new Owners();
    owners.open('text', 'x', 's1');
    owners.open('call', 'x', undefined);
    expect(owners.disagree('call', 'x', '')).toBe(true);
    expect(owners.disagree('reasoning', 'x', 's2')).toBe(false);
  });

  it("should know messages by their role, and calls as their message's", () => {
    const owners = new Owners();
    const toolCall = {
      id: 'c1',
      type: 'function',
      function: { name: 'search', arguments: '' },
    } as const;
    owners.open('text', 'm1', 's9');
    owners.know(
      [
        { id: 'm1', role: 'user', content: 'hi' },
        {
          id: 'm2',
          role: 'assistant',
          subagentRunId: 's1',
          toolCalls: [toolCall],
        },
        { id: 'm3', role: 'reasoning', content: '', subagentRunId: 's2' },
      ],
      'open',
    );
    expect(owners.ownerOf('text', 'm1')).toEqual({ subagentRunId: 's9' });
    expect(owners.ownerOf('text', 'm2')).toEqual({ subagentRunId: 's1' });
    expect(owners.ownerOf('call', 'c1')).toEqual({ subagentRunId: 's1' });
    expect(owners.ownerOf('reasoning', 'm3')).toEqual({ subagentRunId: 's2' });
    owners.know([{ id: 'm1', role: 'user', content: 'hi' }], 'take');
    expect(owners.ownerOf('text', 'm1')).toEqual({ subagentRunId: undefined });
  });
});
