/**
 * Thrown by a tool that somebody else executes: the run ends with an interrupt, and the answer that
 * the next run brings is the tool's result (AgentScope: "Tool suspension / external execution").
 */
export class ToolSuspend extends Error {
  override readonly name = 'ToolSuspend';

  /** @param message what the user is told of it. */
  constructor(message = '') {
    super(message);
  }
}
