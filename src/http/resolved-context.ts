import { RuntimeContext } from '../agent/runtime-context.js';
import type { ResolvedContext } from './agui-runtime-context-resolver.js';

/**
 * What a context resolver returned, as a context.
 *
 * @throws TypeError for a `userId` that is none.
 */
export function asContext(resolved: ResolvedContext): RuntimeContext {
  if (resolved instanceof RuntimeContext) return resolved;
  if (resolved === undefined || resolved === null) return new RuntimeContext();
  const { userId, ...entries } = resolved;
  return new RuntimeContext({ userId: asUserId(userId), entries });
}

/** Database keys are often numbers. Anything stranger must not pass as nobody, whose threads all share. */
function asUserId(userId: unknown): string | undefined {
  if (userId === undefined || userId === null) return undefined;
  if (typeof userId === 'string') return userId;
  if (typeof userId === 'number' || typeof userId === 'bigint')
    return String(userId);
  throw new TypeError(
    `A context resolver returned a userId that is ${typeof userId}; it must be a string or a number.`,
  );
}
