import type { RunAgentInput } from '@ag-ui/core';
import type {
  AguiAgentRegistry,
  RegisteredAgent,
} from './agui-agent.registry.js';

/** Where a request may name its agent, besides the run input. */
export interface AgentSelection {
  pathAgentId?: string;
  headerAgentId?: string;
}

/**
 * Finds the agent that a request asks for: by path, then by header, then by
 * `forwardedProps.agentId`, then the default one. The client's choice by header or body reaches
 * exposed agents only.
 */
export class AguiAgentResolver {
  constructor(
    private readonly registry: AguiAgentRegistry,
    private readonly defaultAgentId: string,
  ) {}

  /** The id that is asked for, whether or not there is such an agent. */
  requestedId(
    selection: AgentSelection,
    input: Pick<RunAgentInput, 'forwardedProps'>,
  ): string {
    return (
      presentId(selection.pathAgentId) ??
      clientChoice(selection, input) ??
      this.defaultAgentId
    );
  }

  /** The agent, or undefined if there is none that this request may have. */
  resolve(
    selection: AgentSelection,
    input: Pick<RunAgentInput, 'forwardedProps'>,
  ): RegisteredAgent | undefined {
    const agent = this.registry.get(this.requestedId(selection, input));
    const chosenByClient =
      presentId(selection.pathAgentId) === undefined &&
      clientChoice(selection, input) !== undefined;
    return chosenByClient && agent?.exposed === false ? undefined : agent;
  }
}

function clientChoice(
  { headerAgentId }: AgentSelection,
  { forwardedProps }: Pick<RunAgentInput, 'forwardedProps'>,
): string | undefined {
  return presentId(headerAgentId) ?? presentId(bodyAgentId(forwardedProps));
}

function bodyAgentId(forwardedProps: unknown): unknown {
  return typeof forwardedProps === 'object' && forwardedProps !== null
    ? (forwardedProps as { agentId?: unknown }).agentId
    : undefined;
}

function presentId(id: unknown): string | undefined {
  return typeof id === 'string' && id.trim() !== '' ? id : undefined;
}
