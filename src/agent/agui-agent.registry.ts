import type { RunAgentInput } from '@ag-ui/core';
import { isAnyAgent, type AnyAgent } from './agent.js';
import type { RuntimeContext } from './runtime-context.js';

/** Makes the agent of one run. What it throws refuses the run before its stream begins. */
export type AgentFactory = (
  context: RuntimeContext,
  input: RunAgentInput,
) => AnyAgent | Promise<AnyAgent>;

/** How an agent is offered. */
export interface AgentRegistrationOptions {
  /**
   * Whether a client may choose the agent by header or body, and sees it in the list of agents.
   * Default true; one that is not exposed is reached by its path, or as the default agent.
   */
  exposed?: boolean;
}

/** An agent as the registry keeps it. */
export interface RegisteredAgent {
  readonly id: string;
  readonly exposed: boolean;
  /** The agent itself, if one instance serves all runs. */
  readonly instance?: AnyAgent;
  /** The agent for one run. */
  resolve(
    context: RuntimeContext,
    input: RunAgentInput,
  ): AnyAgent | Promise<AnyAgent>;
}

/** Two agents with one id. */
export class DuplicateAgentError extends Error {
  override readonly name = 'DuplicateAgentError';

  constructor(id: string, where: string) {
    super(
      `Two agents have the id "${id}" (${where}). Give one of them another id, or unregister one first.`,
    );
  }
}

/** The agents of one `AguiModule`, by id. */
export class AguiAgentRegistry {
  private readonly agents = new Map<string, RegisteredAgent>();
  /** Where agents were found, by id. */
  private readonly discovered = new Map<string, string>();

  /**
   * Adds an agent that serves every run of this id. It replaces one that was found among the
   * application's providers.
   *
   * @throws DuplicateAgentError if another one was registered under this id by hand.
   * @throws TypeError if the id is empty, or it is no agent.
   */
  register(
    id: string,
    agent: AnyAgent,
    options: AgentRegistrationOptions = {},
  ): this {
    if (!isAnyAgent(agent))
      throw new TypeError(
        `What was registered as agent "${id}" has neither streamEvents() nor run().`,
      );
    return this.add(id, { ...options, instance: agent, resolve: () => agent });
  }

  /**
   * Adds an agent that is made anew for each run.
   *
   * @throws DuplicateAgentError if another one was registered under this id by hand.
   * @throws TypeError if the id is empty.
   */
  registerFactory(
    id: string,
    factory: AgentFactory,
    options: AgentRegistrationOptions = {},
  ): this {
    const resolve = async (context: RuntimeContext, input: RunAgentInput) => {
      const agent = await factory(context, input);
      if (isAnyAgent(agent)) return agent;
      throw new TypeError(`The factory of agent "${id}" returned no agent.`);
    };
    return this.add(id, { ...options, resolve });
  }

  /** Takes an agent away; false if there was none. Runs that have begun go on. */
  unregister(id: string): boolean {
    this.discovered.delete(id);
    return this.agents.delete(id);
  }

  has(id: string): boolean {
    return this.agents.has(id);
  }

  get(id: string): RegisteredAgent | undefined {
    return this.agents.get(id);
  }

  /** All ids, in the order of their registration. */
  ids(): string[] {
    return [...this.agents.keys()];
  }

  /**
   * Adds an agent that was found among the application's providers; one registered by hand stays.
   *
   * @internal
   * @returns false if a registration by hand has the id.
   */
  discover(
    id: string,
    found: Omit<RegisteredAgent, 'id' | 'exposed'> & AgentRegistrationOptions,
    where: string,
  ): boolean {
    const other = this.discovered.get(id);
    if (other !== undefined)
      throw new DuplicateAgentError(id, `${other}, ${where}`);
    if (this.agents.has(id)) return false;
    this.add(id, found, where);
    this.discovered.set(id, where);
    return true;
  }

  private add(
    id: string,
    agent: Omit<RegisteredAgent, 'id' | 'exposed'> & AgentRegistrationOptions,
    where = 'registered by hand',
  ): this {
    if (typeof id !== 'string' || id.trim() === '')
      throw new TypeError(`An agent needs an id that is not blank (${where}).`);
    if (this.agents.has(id) && !this.discovered.delete(id))
      throw new DuplicateAgentError(id, 'registered twice');
    this.agents.set(id, { ...agent, id, exposed: agent.exposed ?? true });
    return this;
  }
}
