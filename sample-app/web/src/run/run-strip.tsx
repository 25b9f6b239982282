import { useRunFacts } from './run-info-context';

/** The steps of the last run, and what the thread's model calls have cost. */
export function RunStrip() {
  const { steps, inputTokens, outputTokens, model } = useRunFacts();
  return (
    <div className="run-strip" aria-label="About the run" role="status">
      {steps.map(({ name, isDone }, n) => (
        <span key={n} className="chip">
          {isDone ? '✓' : '…'} {name}
        </span>
      ))}
      {outputTokens > 0 && (
        <span className="usage" data-testid="usage">
          {inputTokens} tokens in · {outputTokens} out
          {model !== undefined && ` · ${model}`}
        </span>
      )}
    </div>
  );
}
