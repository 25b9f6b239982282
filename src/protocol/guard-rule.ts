/** The rules by which the protocol guard changes or drops an event; log lines name them. */
export type GuardRule =
  | 'unknown-or-malformed'
  | 'not-open'
  | 'already-open'
  | 'id-of-another-kind'
  | 'wrong-owner'
  | 'second-result'
  | 'empty-messages-snapshot'
  | 'second-run-started'
  | 'left-open'
  | 'not-finished'
  | 'after-the-end'
  | 'lost-for-an-older-client';
