/** In a run's context (by its class) while a subagent works: nobody can be asked, and the state is the agent's. */
export class SubagentCall {
  readonly isSubagent = true;
}
