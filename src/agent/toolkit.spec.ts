import { describe, expect, it } from 'vitest';
import { Toolkit, ToolMergeMode } from './toolkit.js';

const namesOf = (toolkit: Toolkit) => toolkit.list().map(({ name }) => name);

describe('Toolkit', () => {
  it('should keep tools by name, in the order of their registration', () => {
    const toolkit = new Toolkit([{ name: 'a' }, { name: 'b' }]);

    toolkit.register({ name: 'c' }).register({ name: 'a', description: 'new' });

    expect(namesOf(toolkit)).toEqual(['a', 'b', 'c']);
    expect(toolkit.get('a')).toEqual({ name: 'a', description: 'new' });
    expect(toolkit.has('b')).toBe(true);
    expect(toolkit.unregister('b')).toBe(true);
    expect(toolkit.unregister('b')).toBe(false);
    expect(toolkit.has('b')).toBe(false);
    expect(toolkit.get('b')).toBeUndefined();
  });

  it.each(['constructor', '__proto__', 'toString'])(
    'should not find %s, which nobody registered',
    (name) => {
      expect(new Toolkit().has(name)).toBe(false);
      expect(new Toolkit().get(name)).toBeUndefined();
    },
  );

  describe('forRun', () => {
    const own = () => new Toolkit([{ name: 'a' }, { name: 'b' }]);
    const theirs = [
      { name: 'b', frontend: true },
      { name: 'c', frontend: true },
    ];

    it.each([
      [undefined, ['a', 'b', 'c'], true],
      [ToolMergeMode.MERGE_FRONTEND_PRIORITY, ['a', 'b', 'c'], true],
      [ToolMergeMode.FRONTEND_ONLY, ['b', 'c'], true],
      [ToolMergeMode.AGENT_ONLY, ['a', 'b'], undefined],
    ])('should merge by %s', (mode, names, frontend) => {
      const view = own().forRun(theirs, mode);

      expect(namesOf(view)).toEqual(names);
      expect(view.get('b')!.frontend).toBe(frontend);
    });

    it('should be a view that changes nothing', () => {
      const toolkit = own();
      const view = toolkit.forRun(theirs);

      view.register({ name: 'd' }).unregister('a');

      expect(namesOf(toolkit)).toEqual(['a', 'b']);
      expect(toolkit.get('b')!.frontend).toBeUndefined();
      expect(namesOf(toolkit.forRun([]))).toEqual(['a', 'b']);
    });
  });
});
