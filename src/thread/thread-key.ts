/** Whose thread it is. */
export interface ThreadKey {
  /** From a context resolver; undefined for threads of nobody in particular. */
  userId: string | undefined;
  threadId: string;
}

/** The key of the thread that an input names, and that is its user's. */
export function keyOf(
  { threadId }: Pick<ThreadKey, 'threadId'>,
  { userId }: Pick<ThreadKey, 'userId'>,
): ThreadKey {
  return { userId, threadId };
}

/** A name that no other key has. */
export function nameOf({ userId, threadId }: ThreadKey): string {
  return JSON.stringify([userId ?? null, threadId]);
}
