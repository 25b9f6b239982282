/** A tool call that the agent's permission function does not allow. */
export class ToolDenied extends Error {
  override readonly name = 'ToolDenied';

  constructor(tool: string) {
    super(`The tool "${tool}" may not be used like this; nothing was done.`);
  }
}
