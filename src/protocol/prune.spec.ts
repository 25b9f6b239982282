import { EventSchemas, RunAgentInputSchema } from '@ag-ui/core/schemas';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { prune } from './prune.js';

const Part = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('text'), text: z.string() }),
  z.looseObject({
    type: z.literal('image'),
    source: z.discriminatedUnion('kind', [
      z.looseObject({ kind: z.literal('url'), value: z.string() }),
    ]),
  }),
]);
const Document = z.looseObject({
  title: z.string().nullable(),
  body: z.union([z.string(), z.array(Part)]),
  cover: Part.optional(),
  data: z.any(),
});

describe('prune', () => {
  it('should return what needs no change as it is', () => {
    const value = {
      title: null,
      body: [{ type: 'text', text: 'a' }],
      data: { x: 1 },
    };
    expect(prune(value, Document)).toEqual({ value, removed: [] });
    expect(prune(value, Document).value).toBe(value);
  });

  it('should remove unknown members at any depth', () => {
    const value = {
      extra: 1,
      title: 't',
      body: [{ type: 'text', text: 'a', bold: true }],
    };
    expect(prune(value, Document)).toEqual({
      value: { title: 't', body: [{ type: 'text', text: 'a' }] },
      removed: ['/extra', '/body/0/bold'],
    });
    expect(value.body[0]).toHaveProperty('bold');
  });

  it('should remove an unknown kind from a list', () => {
    const body = [{ type: 'text', text: 'a' }, { type: 'dream' }];
    expect(prune({ title: 't', body }, Document)).toEqual({
      value: { title: 't', body: [{ type: 'text', text: 'a' }] },
      removed: ['/body/1'],
    });
  });

  it('should remove an unknown kind where it is optional', () => {
    const value = { title: 't', body: '', cover: { type: 'dream' } };
    expect(prune(value, Document)).toEqual({
      value: { title: 't', body: '' },
      removed: ['/cover'],
    });
  });

  it('should remove what contains an unknown kind that is required, and report only that', () => {
    const image = { type: 'image', extra: 1, source: { kind: 'dream' } };
    expect(
      prune({ title: 't', body: [image], cover: image }, Document),
    ).toEqual({
      value: { title: 't', body: [] },
      removed: ['/body/0', '/cover'],
    });
  });

  it('should have nothing left if the whole is of an unknown kind', () => {
    expect(prune({ type: 'dream' }, Part)).toEqual({
      value: undefined,
      removed: [],
    });
  });

  it.each<[value: unknown]>([
    [{ title: 5, body: 5 }],
    [{ title: 't', body: { type: 'dream' } }],
    [{ title: 't', body: [{ type: 5 }] }],
    [{ title: 't', body: [{}] }],
    [{ title: 't', body: [[{ type: 'dream' }]] }],
    [{ title: 't', body: 'b', cover: [{ type: 'dream' }] }],
    ['no object'],
    [null],
    [[]],
  ])('should leave the malformed %j to the validator', (value) => {
    expect(prune(value, Document)).toEqual({ value, removed: [] });
  });

  it('should not look into open values', () => {
    const value = { title: 't', body: '', data: { type: 'dream', x: [{}] } };
    expect(prune(value, Document).value).toBe(value);
  });

  it('should keep the extra members of a JSON Patch operation', () => {
    const event = {
      type: 'STATE_DELTA',
      delta: [
        { op: 'remove', path: '/a', value: 'left over' },
        { op: 'increment', path: '/a' },
      ],
    };
    expect(prune(event, EventSchemas)).toEqual({
      value: { type: 'STATE_DELTA', delta: [event.delta[0]] },
      removed: ['/delta/1'],
    });
  });

  it('should see through defaults, transforms and nullables', () => {
    const Open = z.looseObject({ a: z.string() });
    const schema = z.looseObject({
      piped: Open.transform((value) => value.a),
      absent: Open.nullable().default(null),
    });
    const value = { piped: { a: 'x', b: 1 }, absent: { a: 'y', b: 2 } };
    expect(prune(value, schema)).toEqual({
      value: { piped: { a: 'x' }, absent: { a: 'y' } },
      removed: ['/piped/b', '/absent/b'],
    });
  });

  it('should see through what the run input declares as optional', () => {
    const input = {
      threadId: 't1',
      runId: 'r1',
      state: { free: true },
      messages: [],
      tools: [{ name: 'a', description: '', extra: 1 }],
    };
    expect(prune(input, RunAgentInputSchema).removed).toEqual([
      '/tools/0/extra',
    ]);
  });
});
