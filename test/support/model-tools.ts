import { jsonSchema, type Tool } from 'ai';
import { agentTool, type ToolCallContext } from 'nestjs-agui/ai-sdk';

export type Execute = (
  input: Record<string, unknown>,
  call: ToolCallContext,
) => unknown;

export const toolThat = (execute: Execute): Tool =>
  agentTool({
    description: 'Does it',
    inputSchema: jsonSchema<Record<string, unknown>>({
      type: 'object',
      properties: { city: { type: 'string' } },
    }),
    execute,
  }) as Tool;
