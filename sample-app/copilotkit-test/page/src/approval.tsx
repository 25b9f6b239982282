import { useInterrupt } from '@copilotkit/react-core/v2';
import { address } from './address.js';

/** Asks the user for what the agent waits for. */
export function Approval() {
  useInterrupt({
    agentId: address.agentId,
    render: ({ interrupt, resolve, cancel }) => (
      <fieldset aria-label="Approval">
        <legend>{interrupt?.message}</legend>
        <button onClick={() => resolve({ approved: true })}>Approve</button>
        <button onClick={() => resolve({ approved: false })}>Refuse</button>
        <button onClick={() => cancel()}>Never mind</button>
      </fieldset>
    ),
  });
  return null;
}
