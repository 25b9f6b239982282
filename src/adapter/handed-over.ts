import type { Message } from '@ag-ui/core';

/**
 * In a run's context (by its class) when the server keeps the thread: which messages of the conversation
 * the agent is handed, since it has not seen them. The others are its `agui.history`.
 */
export class HandedOver {
  constructor(readonly messages: readonly Message[]) {}
}
