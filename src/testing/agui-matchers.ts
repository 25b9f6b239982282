import {
  brokenRules,
  type BrokenRule,
  type KnownInput,
  type StreamRule,
} from './broken-rules.js';
import { eventsOfText } from './event-text.js';

/** The matchers of this entry, as test runners type them. */
export interface AguiMatchers<R = unknown> {
  /**
   * Passes if a stream is legal AG-UI, and names the broken rules otherwise. Takes what `runAgent()`
   * returns, a list of events, or the text of a `text/event-stream` response.
   */
  toBeLegalAguiStream(): R;
}

/** For `expect.extend()` of Vitest, Jest or any other `expect` of their kind. */
export const aguiMatchers = {
  toBeLegalAguiStream(received: unknown): MatcherResult {
    const { events, input } = streamOf(received);
    const broken = brokenRules(events, input);
    return {
      pass: broken.length === 0,
      message: () =>
        broken.length === 0
          ? 'Expected the stream to break a rule of AG-UI, but it is legal.'
          : `Expected a legal AG-UI stream, but:\n${broken.map(lineOf).join('\n')}`,
    };
  },
};

interface MatcherResult {
  pass: boolean;
  message: () => string;
}

const MEANINGS: Record<StreamRule, string> = {
  'unknown-or-malformed': 'no event of AG-UI, or not in its shape',
  'not-started': 'an event before the run has begun',
  'another-run': 'the ids of another run',
  'not-open': 'something goes on or ends that is not open',
  'already-open': 'something begins that is open already',
  'id-of-another-kind': 'an id that stands for something else',
  'wrong-owner': 'the item belongs to another subagent',
  'second-result': 'a tool call is answered twice',
  'empty-messages-snapshot': 'an empty snapshot deletes the conversation',
  'second-run-started': 'the run begins twice',
  'left-open': 'the run finishes while something is open',
  'not-finished': 'the stream ends before the run does',
  'after-the-end': 'an event after the end of the run',
  'lost-for-an-older-client': 'a client without protocolVersion refuses this',
};

function lineOf({ rule, index, type, detail }: BrokenRule): string {
  const where = type === undefined ? `at ${index}` : `at ${index}, ${type}`;
  return `  ${rule} (${where}): ${MEANINGS[rule]}: ${detail}`;
}

function streamOf(received: unknown): {
  events: Iterable<unknown>;
  input?: KnownInput;
} {
  if (typeof received === 'string') return { events: eventsOfText(received) };
  if (Array.isArray(received)) return { events: received };
  const { events, input } = (received ?? {}) as {
    events?: unknown[];
    input?: KnownInput;
  };
  if (Array.isArray(events)) return { events, input };
  throw new TypeError(
    'toBeLegalAguiStream() takes what runAgent() returns, a list of AG-UI events, or the text of a text/event-stream response.',
  );
}
