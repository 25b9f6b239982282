import { ToolSchema } from '@ag-ui/core/schemas';
import { describe, expect, it } from 'vitest';
import { toAgentTool, toAguiTool } from './agui-tool-converter.js';

const tool = {
  name: 'paint',
  description: 'Paints the page.',
  parameters: { type: 'object', properties: { colour: { type: 'string' } } },
  metadata: { a: 1 },
};

describe('toAgentTool', () => {
  it('should mark a tool as the front end’s', () => {
    expect(toAgentTool(tool)).toEqual({ ...tool, frontend: true });
  });
});

describe('toAguiTool', () => {
  it('should be the way back', () => {
    expect(toAguiTool(toAgentTool(tool))).toEqual(tool);
  });

  it('should make a legal tool of the least there is, and keep its code to itself', () => {
    const described = toAguiTool({ name: 'f', execute: () => 'secret' });

    expect(described).toEqual({ name: 'f', description: '' });
    expect(ToolSchema.parse(described)).toEqual(described);
  });
});
