import type { Interrupt } from '@ag-ui/core';
import { Logger } from '@nestjs/common';
import { z } from 'zod';
import { quoted } from '../log-text.js';
import { loggedMessageOf } from '../thrown.js';

const logger = new Logger('AguiModule');

/**
 * What is wrong with an answer, by the interrupt's `responseSchema`; undefined if it fits, or the
 * interrupt does not say what would.
 */
export function misfitOf(
  { id, responseSchema }: Interrupt,
  payload: unknown,
): string | undefined {
  if (responseSchema === undefined) return undefined;
  let schema: z.ZodType;
  try {
    schema = z.fromJSONSchema(responseSchema);
  } catch (error) {
    logger.warn(
      `The answer to ${quoted(id)} was not checked, because its responseSchema cannot be read: ${loggedMessageOf(error)}`,
    );
    return undefined;
  }
  const [issue] = schema.safeParse(payload).error?.issues ?? [];
  if (issue === undefined) return undefined;
  const at = issue.path.length === 0 ? '' : ` at "${issue.path.join('.')}"`;
  return `${issue.message}${at}`;
}
