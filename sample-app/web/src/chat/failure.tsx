import { ActionBarPrimitive, ErrorPrimitive } from '@assistant-ui/react';
import { useRunFacts } from '../run/run-info-context';

/** Says that a run has failed, and what to try. */
export function Failure() {
  const { failure } = useRunFacts();
  return (
    <ErrorPrimitive.Root className="failure" role="alert">
      <p>
        <strong>The run has failed.</strong> <ErrorPrimitive.Message />
        {failure !== undefined && <code>{failure}</code>}
      </p>
      <p>
        “Wire” shows what has arrived. Say something else, or{' '}
        <ActionBarPrimitive.Reload>try again</ActionBarPrimitive.Reload>
      </p>
    </ErrorPrimitive.Root>
  );
}
