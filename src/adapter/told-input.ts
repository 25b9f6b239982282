import type { Message, RunAgentInput } from '@ag-ui/core';

/** In a run's context (by its class) if `RUN_STARTED` shall carry the run's input: what it carries. */
export class ToldInput {
  readonly input: RunAgentInput;

  /** @param known what others have heard of already; they go on from it. */
  constructor(input: RunAgentInput, known: readonly Message[]) {
    const ids = new Set(known.map(({ id }) => id));
    const messages = input.messages.filter(({ id }) => !ids.has(id));
    this.input = { ...input, messages };
  }
}
