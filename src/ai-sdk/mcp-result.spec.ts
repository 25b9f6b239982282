import { describe, expect, it } from 'vitest';
import { isMcpResult, mcpBlocks, throwIfFailed } from './mcp-result.js';

const text = (value: string) => ({ type: 'text' as const, text: value });
const image = { type: 'image', data: 'AAAA', mimeType: 'image/png' } as const;
const link = { type: 'resource_link', uri: 'demo://1', name: 'one' } as const;
const file = (resource: object) => ({ type: 'resource' as const, resource });

describe('isMcpResult', () => {
  it.each([
    { content: [text('a'), image, link, file({ uri: 'x', text: 'y' })] },
    { content: [{ ...image, type: 'audio' }], isError: false },
    { content: [], isError: false },
    {
      content: [{ ...text('a'), annotations: {} }],
      structuredContent: { a: 1 },
      _meta: {},
    },
  ])('should know %j', (output) => {
    expect(isMcpResult(output)).toBe(true);
  });

  it.each<unknown>([
    undefined,
    null,
    'text',
    [text('a')],
    {},
    { content: 'text' },
    { content: [] },
    { content: ['text'] },
    { content: [null] },
    { content: [{ type: 'text' }] },
    { content: [{ type: 'image', data: 'AAAA' }] },
    { content: [{ type: 'table', text: 'a' }] },
    { content: [file({ uri: 'x' })] },
    { content: [{ type: 'resource' }] },
    { content: [text('a')], total: 1 },
  ])('should not take %j for one', (output) => {
    expect(isMcpResult(output)).toBe(false);
  });
});

describe('mcpBlocks', () => {
  it('should put texts on lines of their own, and leave files as they are', () => {
    const content = [
      text('a'),
      link,
      file({ uri: 'x', text: 'b' }),
      image,
      file({ uri: 'x', blob: 'BBBB', mimeType: 'application/gzip' }),
      file({ uri: 'x', blob: 'CCCC' }),
      text('c'),
    ];
    const data = (type: string, value: string, mediaType: string) => ({
      type,
      source: { type: 'base64', data: value, mediaType },
    });
    expect(mcpBlocks({ content })).toEqual([
      text(`a\n${JSON.stringify(link)}\nb`),
      data('image', 'AAAA', 'image/png'),
      data('data', 'BBBB', 'application/gzip'),
      data('data', 'CCCC', 'application/octet-stream'),
      text('c'),
    ]);
  });
});

describe('throwIfFailed', () => {
  it('should throw what a server says of a failure', () => {
    const fail = (content: object[]) => () =>
      throwIfFailed({ content, isError: true });
    expect(fail([text('No'), text('way')])).toThrow('No\nway');
    expect(fail([])).toThrow('The tool says no more.');
  });

  it('should leave everything else alone', () => {
    for (const output of ['x', { isError: true }, { content: [text('a')] }])
      expect(() => throwIfFailed(output)).not.toThrow();
  });
});
