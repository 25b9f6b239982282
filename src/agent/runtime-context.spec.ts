import { describe, expect, it } from 'vitest';
import { RuntimeContext } from './runtime-context.js';
import { Toolkit } from './toolkit.js';

class Tenant {
  constructor(readonly id: string) {}
}

describe('RuntimeContext', () => {
  it('should be usable with nothing given', () => {
    const context = new RuntimeContext();

    expect(context.sessionId).toBe('');
    expect(context.userId).toBeUndefined();
    expect(context.signal.aborted).toBe(false);
    expect(context.toolkit.list()).toEqual([]);
    expect(context.get('anything')).toBeUndefined();
  });

  it('should keep values by string and by class', () => {
    const tenant = new Tenant('x');
    const context = new RuntimeContext({ entries: { a: 1 } })
      .put('b', 2)
      .put(Tenant, tenant)
      .put('nothing', undefined);

    expect(context.get('a')).toBe(1);
    expect(context.get('b')).toBe(2);
    expect(context.get(Tenant)).toBe(tenant);
    expect(context.has(Tenant)).toBe(true);
    expect(context.has('nothing')).toBe(true);
    expect(context.has('Tenant')).toBe(false);
    expect(context.has('constructor')).toBe(false);
  });

  it('should copy itself with changes, leaving the first as it was', () => {
    const { signal } = new AbortController();
    const toolkit = new Toolkit([{ name: 'f' }]);
    const first = new RuntimeContext({
      sessionId: 's1',
      userId: 'u1',
      signal,
      toolkit,
      entries: { a: 1, b: 2 },
    }).put(Tenant, new Tenant('x'));

    const second = first.with({
      sessionId: 's2',
      userId: undefined,
      entries: { b: 3, c: 4 },
    });
    second.put('a', 'changed');

    expect(second).toMatchObject({ sessionId: 's2', userId: 'u1' });
    expect(second.signal).toBe(signal);
    expect(second.toolkit).toBe(toolkit);
    expect([second.get('b'), second.get('c')]).toEqual([3, 4]);
    expect(second.get(Tenant)).toBe(first.get(Tenant));
    expect(first).toMatchObject({ sessionId: 's1', userId: 'u1' });
    expect([first.get('a'), first.get('b'), first.get('c')]).toEqual([
      1,
      2,
      undefined,
    ]);
  });

  it('should take over what another context knows of the user, its values winning', () => {
    const first = new RuntimeContext({
      sessionId: 's1',
      userId: 'u1',
      entries: { a: 1, b: 1 },
    });
    const other = new RuntimeContext({
      sessionId: 's2',
      userId: 'u2',
      entries: { b: 2 },
    }).put(Tenant, new Tenant('x'));

    const merged = first.merge(other);

    expect(merged).toMatchObject({ sessionId: 's1', userId: 'u2' });
    expect(merged.signal).toBe(first.signal);
    expect([merged.get('a'), merged.get('b')]).toEqual([1, 2]);
    expect(merged.get(Tenant)!.id).toBe('x');
    expect(first.merge(new RuntimeContext()).userId).toBe('u1');
    expect(first.has(Tenant)).toBe(false);
  });
});
