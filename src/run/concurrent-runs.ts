/** What becomes of a run whose thread has another one. */
export const ConcurrentRuns = {
  /** It is refused; the default. */
  REJECT: 'reject',
  /** It waits for the other one to end. */
  QUEUE: 'queue',
  /** It has the other one cancelled, and starts when that has ended. */
  CANCEL_PREVIOUS: 'cancel-previous',
} as const;

/** One of the ways of {@link ConcurrentRuns}. */
export type ConcurrentRuns =
  (typeof ConcurrentRuns)[keyof typeof ConcurrentRuns];
