import { describe, expect, it } from 'vitest';
import { parseDuration } from './duration.js';

describe('parseDuration', () => {
  it.each([
    [0, 0],
    [1500, 1500],
    ['1500', 1500],
    ['500ms', 500],
    ['30s', 30_000],
    ['10m', 600_000],
    ['1h', 3_600_000],
    ['1.5s', 1500],
    [' 2 s ', 2000],
  ])('should read %o as %d milliseconds', (given, milliseconds) => {
    expect(parseDuration(given)).toBe(milliseconds);
  });

  it.each([
    ['', undefined],
    ['ten minutes', undefined],
    ['10x', undefined],
    ['10M', undefined],
    ['-1s', undefined],
    ['1e3', undefined],
    ['PT10M', undefined],
    [-1, undefined],
    [Number.NaN, undefined],
    [Number.POSITIVE_INFINITY, undefined],
    [true, undefined],
    [null, undefined],
    [undefined, undefined],
    [10n, undefined],
  ])('should not read %o', (given, nothing) => {
    expect(parseDuration(given)).toBe(nothing);
  });
});
