import type { Metadata } from '@ag-ui/core';
import type { RuntimeContext } from './runtime-context.js';

/** A tool an agent may call. */
export interface AgentTool {
  name: string;
  description?: string;
  /** JSON Schema of the arguments. */
  parameters?: unknown;
  metadata?: Metadata;
  /** Runs the tool on the server; a tool without it is executed elsewhere, as frontend tools are. */
  execute?(args: Record<string, unknown>, context: RuntimeContext): unknown;
  /** True for a tool that the front end brought along and executes itself. */
  frontend?: boolean;
}

/**
 * How a run's frontend tools and the agent's own are brought together (AgentScope: "Frontend Tools
 * And Merge Mode").
 */
export const ToolMergeMode = {
  /** Both; a frontend tool hides an agent's tool of the same name. The default. */
  MERGE_FRONTEND_PRIORITY: 'MERGE_FRONTEND_PRIORITY',
  /** Only the frontend's tools. */
  FRONTEND_ONLY: 'FRONTEND_ONLY',
  /** Only the agent's tools. */
  AGENT_ONLY: 'AGENT_ONLY',
} as const;

/** One of the modes of {@link ToolMergeMode}. */
export type ToolMergeMode = (typeof ToolMergeMode)[keyof typeof ToolMergeMode];

/**
 * A set of tools by name. An agent has one of its own; each run gets a view of it with that run's
 * frontend tools merged in (`RuntimeContext.toolkit`), so the agent's is never changed.
 */
export class Toolkit {
  private readonly tools = new Map<string, AgentTool>();

  constructor(tools: Iterable<AgentTool> = []) {
    for (const tool of tools) this.tools.set(tool.name, tool);
  }

  /** Adds a tool, or replaces the one of its name. */
  register(tool: AgentTool): this {
    this.tools.set(tool.name, tool);
    return this;
  }

  /** Removes a tool; false if there was none. */
  unregister(name: string): boolean {
    return this.tools.delete(name);
  }

  get(name: string): AgentTool | undefined {
    return this.tools.get(name);
  }

  has(name: string): boolean {
    return this.tools.has(name);
  }

  /** All tools, in the order of their registration. */
  list(): AgentTool[] {
    return [...this.tools.values()];
  }

  /** The tools of one run: a new toolkit, so that nothing done to it reaches this one. */
  forRun(
    frontendTools: readonly AgentTool[],
    mode: ToolMergeMode = ToolMergeMode.MERGE_FRONTEND_PRIORITY,
  ): Toolkit {
    const own = mode === ToolMergeMode.FRONTEND_ONLY ? [] : this.list();
    const theirs = mode === ToolMergeMode.AGENT_ONLY ? [] : frontendTools;
    return new Toolkit([...own, ...theirs]);
  }
}
