import {
  useAgUiInterrupts,
  useAgUiSubmitInterruptResponses,
  type AgUiResumeEntry,
} from '@assistant-ui/react-ag-ui';
import { useState } from 'react';
import { ApprovalForm } from './approval-form';

/** What the agent must not do unasked. The run goes on when all of it is decided. */
export function Approvals() {
  const interrupts = useAgUiInterrupts();
  const submit = useAgUiSubmitInterruptResponses();
  const [decided, setDecided] = useState<AgUiResumeEntry[]>([]);
  const answers = decided.filter(({ interruptId }) =>
    interrupts.some(({ id }) => id === interruptId),
  );
  const decide = (answer: AgUiResumeEntry) => {
    const all = [...answers, answer];
    setDecided(all);
    // What goes wrong is shown with the run.
    if (all.length === interrupts.length) submit(all).catch(() => undefined);
  };
  return interrupts
    .filter(({ id }) => !answers.some(({ interruptId }) => id === interruptId))
    .map((interrupt) => (
      <ApprovalForm key={interrupt.id} interrupt={interrupt} decide={decide} />
    ));
}
