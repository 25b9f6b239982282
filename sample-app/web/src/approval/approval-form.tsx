import type { AgUiInterrupt, AgUiResumeEntry } from '@assistant-ui/react-ag-ui';
import { useId, useState } from 'react';

interface ApprovalFormProps {
  interrupt: AgUiInterrupt;
  decide: (answer: AgUiResumeEntry) => void;
}

/** Asks about one call: with these arguments, or others, or not at all. */
export function ApprovalForm({ interrupt, decide }: ApprovalFormProps) {
  const { id: interruptId, message, metadata = {} } = interrupt;
  const { toolName, toolInput } = metadata as {
    toolName?: string;
    toolInput?: Record<string, unknown>;
  };
  const [args, setArgs] = useState(toolInput ?? {});
  const [reason, setReason] = useState('');
  const heading = useId();
  const resolve = (payload: object) =>
    decide({ interruptId, status: 'resolved', payload });
  const approve = () =>
    resolve(
      isSame(args, toolInput)
        ? { approved: true }
        : { approved: true, editedArgs: args },
    );
  const deny = () => resolve({ approved: false, ...(reason && { reason }) });
  return (
    <form
      className="approval"
      aria-labelledby={heading}
      onSubmit={(event) => {
        event.preventDefault();
        approve();
      }}
    >
      <h2 id={heading}>{message ?? `May ${toolName ?? 'the agent'} go on?`}</h2>
      {Object.entries(args).map(([name, value]) => (
        <Argument
          key={name}
          name={name}
          value={value}
          onChange={(next) => setArgs({ ...args, [name]: next })}
        />
      ))}
      <div className="approval-buttons">
        <button type="submit" className="primary">
          Approve
        </button>
        <label className="deny-reason">
          <span className="hidden">Reason</span>
          <input
            value={reason}
            placeholder="Why not (if you like)"
            onChange={({ target }) => setReason(target.value)}
          />
        </label>
        <button type="button" onClick={deny}>
          Deny
        </button>
        <button
          type="button"
          onClick={() => decide({ interruptId, status: 'cancelled' })}
        >
          Cancel
        </button>
      </div>
    </form>
  );
}

interface ArgumentProps {
  name: string;
  value: unknown;
  onChange: (value: unknown) => void;
}

/** Texts can be changed; anything else is only shown. */
function Argument({ name, value, onChange }: ArgumentProps) {
  const isText = typeof value === 'string';
  return (
    <label className="argument">
      <span>{name}</span>
      <textarea
        aria-label={name}
        rows={isText && value.length > 60 ? 3 : 1}
        readOnly={!isText}
        value={isText ? value : JSON.stringify(value)}
        onChange={({ target }) => onChange(target.value)}
      />
    </label>
  );
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
