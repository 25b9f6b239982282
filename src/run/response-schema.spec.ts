import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Logger } from '@nestjs/common';
import { misfitOf } from './response-schema.js';

const warn = vi.spyOn(Logger.prototype, 'warn');
beforeEach(() => void warn.mockReset());

const SCHEMA = {
  type: 'object',
  properties: {
    city: { type: 'string' },
    nights: { type: 'integer', minimum: 1 },
  },
  required: ['city'],
};

const misfit = (payload: unknown, responseSchema?: object) =>
  misfitOf(
    {
      id: 'i1',
      reason: 'input_required',
      ...(responseSchema && { responseSchema: { ...responseSchema } }),
    },
    payload,
  );

describe('misfitOf', () => {
  it.each([
    [{ city: 'Paris' }],
    [{ city: 'Paris', nights: 2 }],
    [{ city: 'Paris', more: true }],
  ])('should find nothing wrong with %j', (payload) => {
    expect(misfit(payload, SCHEMA)).toBeUndefined();
  });

  it.each([
    [undefined, /expected object/],
    [{}, /at "city"/],
    [{ city: 5 }, /at "city"/],
    [{ city: 'Paris', nights: 0 }, />=1 at "nights"/],
    ['Paris', /expected object/],
  ])('should say what is wrong with %j', (payload, what) => {
    expect(misfit(payload, SCHEMA)).toMatch(what);
  });

  it('should take anything if nobody says what fits', () => {
    expect(misfit('anything')).toBeUndefined();
    expect(misfit(undefined, {})).toBeUndefined();
  });

  it('should take anything if the schema cannot be read, with a warning', () => {
    expect(
      misfit('anything', { $ref: 'https://example.com/x' }),
    ).toBeUndefined();
    expect(warn).toHaveBeenCalledWith(
      expect.stringContaining('The answer to "i1" was not checked'),
    );
  });
});
