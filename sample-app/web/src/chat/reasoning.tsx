import type { ReasoningMessagePartProps } from '@assistant-ui/react';

/** What the model thinks, folded: it may be long, and nobody need read it. */
export function Reasoning({ text, status }: ReasoningMessagePartProps) {
  return (
    <details className="reasoning">
      <summary>{status.type === 'running' ? 'Thinking …' : 'Thoughts'}</summary>
      <p>{text}</p>
    </details>
  );
}
