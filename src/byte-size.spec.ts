import { describe, expect, it } from 'vitest';
import { parseByteSize } from './byte-size.js';

describe('parseByteSize', () => {
  it.each([
    [1, 1],
    [2048, 2048],
    ['2048', 2048],
    ['1b', 1],
    ['512kb', 524_288],
    ['10mb', 10_485_760],
    ['10MB', 10_485_760],
    ['1gb', 1_073_741_824],
    ['1.5kb', 1536],
    [' 2 kb ', 2048],
  ])('should read %o as %d bytes', (given, bytes) => {
    expect(parseByteSize(given)).toBe(bytes);
  });

  it.each([
    [''],
    ['0'],
    ['0.1b'],
    ['-1kb'],
    ['10 megabytes'],
    ['10tb'],
    [0],
    [-1],
    [1.5],
    [Number.NaN],
    [Number.POSITIVE_INFINITY],
    [null],
    [undefined],
    [true],
  ])('should not read %o', (given) => {
    expect(parseByteSize(given)).toBeUndefined();
  });
});
