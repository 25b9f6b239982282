import type { DataMessagePartProps } from '@assistant-ui/react';

interface Usage {
  delta: { inputTokens: number; outputTokens: number };
}

/** The event `token_usage`: what one call of the model has cost. */
export function TokenUsage({ data }: DataMessagePartProps<Usage>) {
  return (
    <p className="token-usage">
      <code>token_usage</code> {data.delta.inputTokens} in ·{' '}
      {data.delta.outputTokens} out
    </p>
  );
}

/** Any other event that the agent has invented. */
export function CustomEvent({ name, data }: DataMessagePartProps) {
  return (
    <p className="custom-event">
      <code>{name}</code> {JSON.stringify(data)}
    </p>
  );
}
