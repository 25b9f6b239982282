/** What becomes of a run whose messages leave out or change what the server keeps. */
export const Divergence = {
  /** What comes behind the fork is forgotten; the default. */
  TRUNCATE: 'truncate',
  /** The run is refused. */
  REJECT: 'reject',
} as const;

/** One of the ways of {@link Divergence}. */
export type Divergence = (typeof Divergence)[keyof typeof Divergence];
