import { Injectable } from '@nestjs/common';
import { AguiTool } from 'nestjs-agui/ai-sdk';
import { z } from 'zod';
import { evaluate } from './arithmetic.js';

/** Arithmetic and the time. */
@Injectable()
export class OfficeTools {
  @AguiTool({
    description: 'Calculates an arithmetic expression with + - * / % ^ ( )',
    parameters: z.object({
      expression: z.string().describe('Such as 2 + 3 * 4'),
    }),
  })
  calculate({ expression }: { expression: string }) {
    return { expression, result: evaluate(expression) };
  }

  @AguiTool({
    name: 'get_current_time',
    description: 'Tells the current time',
    parameters: z.object({
      timeZone: z.string().optional().describe('Such as Europe/Paris'),
    }),
  })
  currentTime({ timeZone = 'UTC' }: { timeZone?: string }) {
    const time = new Date().toLocaleTimeString('en-GB', { timeZone });
    return { time, timeZone };
  }
}
