/** A tool call that the agent's permission function does not allow. */
export class ToolDenied extends Error {
  override readonly name = 'ToolDenied';

  constructor(tool: string, bySubagent: boolean) {
    super(
      bySubagent
        ? `The tool "${tool}" may not be used by a subagent without the user's consent; nothing was done.`
        : `The tool "${tool}" may not be used like this; nothing was done.`,
    );
  }
}
