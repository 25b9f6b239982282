import { nameOf } from '../adapter/extension-name.js';
import { RuntimeContext } from '../agent/runtime-context.js';

/**
 * What a context resolver returned, as a context.
 *
 * @throws TypeError for what is none, or has a `userId` that is none.
 */
export function asContext(resolved: unknown, resolver: object): RuntimeContext {
  if (resolved instanceof RuntimeContext) return resolved;
  if (resolved === undefined || resolved === null) return new RuntimeContext();
  if (typeof resolved !== 'object' || Array.isArray(resolved))
    throw new TypeError(
      `The context resolver ${nameOf(resolver)} returned ${Array.isArray(resolved) ? 'a list' : `a ${typeof resolved}`}; it must return a RuntimeContext, an object with entries of one, or nothing.`,
    );
  const { userId, ...entries } = resolved as Record<string, unknown>;
  return new RuntimeContext({ userId: asUserId(userId, resolver), entries });
}

/** Database keys are often numbers. Anything stranger must not pass as nobody, whose threads all share. */
function asUserId(userId: unknown, resolver: object): string | undefined {
  if (userId === undefined || userId === null) return undefined;
  switch (typeof userId) {
    case 'string':
      return userId;
    case 'bigint':
      return String(userId);
    case 'number':
      if (Number.isFinite(userId)) return String(userId);
  }
  const what = typeof userId === 'number' ? String(userId) : typeof userId;
  throw new TypeError(
    `The context resolver ${nameOf(resolver)} returned a userId that is ${what}; it must be a string or a number.`,
  );
}
