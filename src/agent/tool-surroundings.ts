/** A tool call that is about to be executed. */
export interface ExecutedCall {
  toolCallId: string;
  toolCallName: string;
}

/**
 * What observers put around the execution of a run's tools: found in the run's context by its class
 * (`context.get(ToolSurroundings)`) if there is any.
 */
export class ToolSurroundings {
  /** @param around calls `act` once and returns what it returns. */
  constructor(readonly around: <T>(call: ExecutedCall, act: () => T) => T) {}
}
