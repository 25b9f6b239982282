import { describe, expect, it } from 'vitest';
import { listed, oneLine, quoted } from './log-text.js';

describe('quoted', () => {
  it.each([
    ['r1', '"r1"'],
    ['a "b"', String.raw`"a \"b\""`],
    ['r\n[Nest] forged', String.raw`"r\n[Nest] forged"`],
    ['\u001B[2J', String.raw`"\u001b[2J"`],
    ['\u009B2J\u007F\u2028', String.raw`"\u009b2J\u007f\u2028"`],
    ['x'.repeat(100), `"${'x'.repeat(100)}"`],
    ['x'.repeat(101), `"${'x'.repeat(100)}…"`],
  ])('should quote %j', (text, expected) => {
    expect(quoted(text)).toBe(expected);
  });
});

describe('oneLine', () => {
  it.each([
    ['Thread "t\n1" is busy', String.raw`Thread "t\u000a1" is busy`],
    ['\u001B[2J\u009B', String.raw`\u001b[2J\u009b`],
    ['größer → 5', 'größer → 5'],
  ])('should keep %j on one line', (text, expected) => {
    expect(oneLine(text)).toBe(expected);
  });
});

describe('listed', () => {
  const names = (count: number) =>
    Array.from({ length: count }, (_, n) => `${n}`);

  it('should quote each name', () => {
    expect(listed(['a', 'b\n'])).toBe(String.raw`"a", "b\n"`);
  });

  it('should name twenty, and say how many more there are', () => {
    const all = names(20).map(quoted).join(', ');
    expect(listed(names(20))).toBe(all);
    expect(listed(names(22))).toBe(`${all} and 2 more`);
  });
});
