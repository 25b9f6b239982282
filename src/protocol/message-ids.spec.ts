import { describe, expect, it } from 'vitest';
import { MessageIds } from './message-ids.js';

describe('MessageIds', () => {
  it('should leave ids of one kind alone', () => {
    const ids = new MessageIds();
    expect(ids.claim('assistant', 'm1')).toBe('m1');
    expect(ids.claim('assistant', 'm1')).toBe('m1');
    expect(ids.kindOf('m1')).toBe('assistant');
    expect(ids.find('text', 'm1')).toBe('m1');
  });

  it('should know when there is no message at all', () => {
    const ids = new MessageIds();
    expect(ids.none).toBe(true);
    ids.claim('assistant', 'm1');
    expect(ids.none).toBe(false);
  });

  it('should give the second kind an id of its own, and find it again', () => {
    const ids = new MessageIds();
    ids.claim('reasoning', 'm1');
    expect(ids.claim('assistant', 'm1')).toBe('m1-text');
    expect(ids.find('text', 'm1')).toBe('m1-text');
    expect(ids.claim('assistant', 'm1')).toBe('m1-text');
    expect(ids.find('reasoning', 'm1')).toBe('m1');
    expect(ids.claim('activity', 'm1')).toBe('m1-activity');
  });

  it('should not answer under the id of what the user wrote', () => {
    const ids = new MessageIds();
    ids.know([{ id: 'm1', role: 'user' }]);
    expect(ids.claim('assistant', 'm1')).toBe('m1-text');
    expect(ids.claim('user', 'm2')).toBe('m2');
  });

  it('should tell roles of text messages apart, save those of instructions', () => {
    const ids = new MessageIds();
    ids.know([
      { id: 'm1', role: 'system' },
      { id: 'm2', role: 'tool' },
    ]);
    expect(ids.claim('developer', 'm1')).toBe('m1');
    expect(ids.claim('assistant', 'm2')).toBe('m2-text');
  });

  it('should mint an id that nobody has', () => {
    const ids = new MessageIds();
    ids.know([
      { id: 'm1-text', role: 'user' },
      { id: 'm1-text-2', role: 'user' },
    ]);
    ids.claim('reasoning', 'm1');
    expect(ids.claim('assistant', 'm1')).toBe('m1-text-3');
    expect(ids.mint('tool', 'm9')).toBe('m9');
    expect(ids.mint('tool', 'm9')).toBe('m9-2');
  });

  it("should find each owner's message, and the latest for whoever has none", () => {
    const ids = new MessageIds();
    ids.claim('assistant', 'm1', 's1');
    ids.remember('text', 'm1', 's1', 'm1');
    expect(ids.rename('assistant', 'm1', 's2')).toBe('m1-text');
    expect(ids.find('text', 'm1', 's1')).toBe('m1');
    expect(ids.find('text', 'm1', 's2')).toBe('m1-text');
    expect(ids.find('text', 'm1', 's3')).toBe('m1-text');
    expect(ids.find('text', 'm1')).toBe('m1-text');
    ids.remember('text', 'm1', undefined, 'm1-own');
    expect(ids.find('text', 'm1')).toBe('m1-own');
  });

  it('should settle a message of a snapshot under the id that it streamed with', () => {
    const ids = new MessageIds();
    ids.know([{ id: 'm1', role: 'user' }]);
    ids.claim('assistant', 'm1');
    expect(ids.settle('assistant', 'm1')).toBe('m1-text');
    expect(ids.settle('user', 'm1')).toBe('m1');
    expect(ids.settle('tool', 'm1')).toBe('m1-text-2');
    expect(ids.settle('assistant', 'm2')).toBe('m2');
  });
});
