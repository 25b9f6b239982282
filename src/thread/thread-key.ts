/** Whose thread it is. */
export interface ThreadKey {
  /** From a context resolver; undefined for threads of nobody in particular. */
  userId: string | undefined;
  threadId: string;
}

/** A name that no other key has. */
export function nameOf({ userId, threadId }: ThreadKey): string {
  return JSON.stringify([userId ?? null, threadId]);
}
