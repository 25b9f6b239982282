import type { AgentTool } from 'nestjs-agui';
import { evaluate } from './arithmetic.js';

/** Arithmetic with + - * / % ^ and brackets. */
export const calculate: AgentTool = {
  name: 'calculate',
  description: 'Calculates an arithmetic expression',
  parameters: {
    type: 'object',
    properties: {
      expression: { type: 'string', description: 'Such as 2 + 3 * 4' },
    },
    required: ['expression'],
  },
  execute: ({ expression }) => ({
    expression,
    result: evaluate(String(expression)),
  }),
};
