import type { AgentSubscriber } from '@ag-ui/client';

/** Who stops a run knows that it has ended: that is no failure, nor an end of the run's own. */
export function quietStop(listener: AgentSubscriber): AgentSubscriber {
  let wasStopped = false;
  return {
    ...listener,
    onRunErrorEvent(told) {
      wasStopped = told.event.code === 'abort';
      return wasStopped ? undefined : listener.onRunErrorEvent?.(told);
    },
    onRunFinalized(told) {
      return wasStopped ? undefined : listener.onRunFinalized?.(told);
    },
  };
}
