import { aborted, reply } from '../../support/agents.js';
import type { Agent, AgentEvent } from 'nestjs-agui';

/** What a run's `forwardedProps` tell the agent to do. */
export interface Script {
  /** How many pieces of text it says. */
  pieces?: number;
  /** How many characters each of them has. */
  size?: number;
  /** How many milliseconds it waits before each of them. */
  pause?: number;
  /** What it does then instead of ending. */
  then?: 'wait' | 'ask' | 'block';
}

/** What agents have done since the server started. */
export const counts = { started: 0, said: 0, signalled: 0, tidied: 0 };

/** The piece of text with a number, so that one that is missing or misplaced is seen. */
export function pieceOf(number: number, size = 0): string {
  return `${number} `.padEnd(size, 'x');
}

/**
 * An agent that does what each run tells it, and counts. When its question is answered, it says what
 * its session has kept.
 */
export const scriptedAgent: Agent = {
  async *streamEvents(_messages, context): AsyncGenerator<AgentEvent> {
    const script = context.get('agui.forwardedProps') as Script;
    const { signal } = context;
    counts.started++;
    signal.addEventListener('abort', () => counts.signalled++);
    const session = context.get('agui.session')!;
    try {
      yield reply.start();
      session['turns'] = Number(session['turns'] ?? 0) + 1;
      if (context.get('agui.resume') === undefined)
        yield* follow(script, signal);
      else yield reply.text(`turn ${String(session['turns'])}`);
      yield reply.end();
    } finally {
      counts.tidied++;
    }
  },
};

async function* follow(
  { pieces = 0, size, pause, then }: Script,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent> {
  for (let number = 0; number < pieces; number++) {
    if (pause !== undefined)
      await new Promise((resolve) => setTimeout(resolve, pause));
    counts.said++;
    yield reply.text(pieceOf(number, size));
  }
  if (then === 'wait') await aborted(signal);
  if (then === 'block') for (;;);
  if (then === 'ask')
    yield {
      type: 'INTERRUPT',
      interrupt: { id: 'q1', reason: 'input_required' },
    };
}
