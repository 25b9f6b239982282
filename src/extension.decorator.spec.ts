import { describe, expect, it } from 'vitest';
import { markExtension, marksOf } from './extension.decorator.js';

describe('markExtension', () => {
  @markExtension('enricher')
  class Base {}

  @markExtension('agent', { id: 'derived' })
  class Derived extends Base {}

  it('should leave what the decorator was given', () => {
    expect(marksOf(Base)).toEqual([{ kind: 'enricher', options: undefined }]);
  });

  it('should add to the marks of the base class and leave those alone', () => {
    expect(marksOf(Derived)).toEqual([
      { kind: 'enricher', options: undefined },
      { kind: 'agent', options: { id: 'derived' } },
    ]);
    expect(marksOf(Base)).toHaveLength(1);
  });

  it('should find nothing on other classes', () => {
    expect(marksOf(class {})).toEqual([]);
  });
});
