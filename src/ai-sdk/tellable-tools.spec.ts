import { jsonSchema, tool, type ToolSet } from 'ai';
import { describe, expect, it, vi } from 'vitest';
import { tellable } from './tellable-tools.js';
import { ToolSuspend } from './tool-suspend.js';

const inputSchema = jsonSchema<object>({ type: 'object', properties: {} });
const CALL = { toolCallId: 'c1', messages: [] };
const told = () => Promise.resolve();

function toolThat(
  execute: () => unknown,
  announced: (id: string) => Promise<void> = told,
  more: object = {},
) {
  const tools = { f: { inputSchema, execute, ...more } } as ToolSet;
  return tellable(tools, announced)['f']!;
}

const modelReads = (output: unknown, more?: object) =>
  toolThat(() => output, told, more).toModelOutput!({
    ...CALL,
    input: {},
    output,
  } as never);

describe('tellable', () => {
  it('should run a tool when the client has heard of the call, and not before', async () => {
    const execute = vi.fn<() => string>(() => 'done');
    let hear!: () => void;
    const heard = new Promise<void>((resolve) => (hear = resolve));
    const announced = vi.fn<(id: string) => Promise<void>>(() => heard);

    const result = toolThat(execute, announced).execute!(
      { a: 1 },
      CALL as never,
    );
    await Promise.resolve();
    expect(execute).not.toHaveBeenCalled();
    hear();

    expect(await result).toBe('done');
    expect(announced).toHaveBeenCalledWith('c1');
    expect(execute).toHaveBeenCalledWith({ a: 1 }, CALL);
  });

  it('should leave a tool as it is that nobody executes here', () => {
    const tools = { f: tool({ inputSchema }) } as ToolSet;

    expect(tellable(tools, told)).toEqual(tools);
  });

  it('should have no tools but its own', () => {
    const tools = tellable({}, told);

    for (const name of ['constructor', 'toString', '__proto__'])
      expect(tools[name]).toBeUndefined();
  });

  it.each([
    ['text', 'sunny', { type: 'text', value: 'sunny' }],
    ['an object', { a: [1, null] }, { type: 'json', value: { a: [1, null] } }],
    ['nothing', undefined, { type: 'json', value: null }],
    ['null', null, { type: 'json', value: null }],
    ['a big number', { n: 1n }, { type: 'json', value: { n: '1' } }],
    [
      'a date',
      new Date(0),
      { type: 'json', value: '1970-01-01T00:00:00.000Z' },
    ],
  ])('should tell the model of %s', async (_name, output, told) => {
    expect(await modelReads(output)).toEqual(told);
  });

  it("should leave the tool's own way to tell the model", async () => {
    const toModelOutput = () => ({ type: 'text', value: 'in short' });

    expect(await modelReads({}, { toModelOutput })).toEqual({
      type: 'text',
      value: 'in short',
    });
  });

  it('should throw an error, whatever the tool throws', async () => {
    const suspend = new ToolSuspend('elsewhere');
    const thrown = (value: unknown) =>
      toolThat(() => {
        throw value;
      }).execute!({}, CALL as never);

    await expect(thrown(suspend)).rejects.toBe(suspend);
    await expect(thrown({ a: 1n })).rejects.toThrow(new Error('{ a: 1n }'));
    await expect(thrown(undefined)).rejects.toThrow(new Error('undefined'));
  });
});
