import type { ToolCallMessagePartProps } from '@assistant-ui/react';
import type { ReactNode } from 'react';

/** What a card shows of a call. */
type Call = Pick<
  ToolCallMessagePartProps,
  'toolName' | 'argsText' | 'result' | 'isError' | 'status'
>;

/** The call of a tool: its arguments as they come, and its result. */
export function ToolCard(props: Call) {
  return (
    <Card {...props}>
      <Result {...props} />
    </Card>
  );
}

export function Card({
  toolName,
  argsText,
  result,
  isError,
  status,
  children,
}: Call & { children?: ReactNode }) {
  const state =
    result !== undefined
      ? isError
        ? 'failed'
        : 'done'
      : status.type === 'running'
        ? 'running'
        : status.type === 'requires-action'
          ? 'waits'
          : 'stopped';
  return (
    <section
      className="card"
      data-state={state}
      aria-label={`Tool ${toolName}`}
    >
      <p className="card-head">
        <code>{toolName}</code>
        <span className="chip">{state}</span>
      </p>
      <pre className="card-args" tabIndex={0} aria-label="Arguments">
        {argsText || '{}'}
      </pre>
      {children}
    </section>
  );
}

export function Result({ result }: Pick<Call, 'result'>) {
  if (result === undefined) return null;
  const text = typeof result === 'string' ? result : JSON.stringify(result);
  return (
    <p className="card-result" aria-label="Result" role="note">
      {text}
    </p>
  );
}
