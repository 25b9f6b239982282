import { asSchema, jsonSchema, tool, type Tool, type ToolSet } from 'ai';
import type { AgentEvent } from '../agent/agent-event.js';
import type { ToolUseBlock } from '../agent/msg.js';
import type { RuntimeContext } from '../agent/runtime-context.js';
import type { AiSdkAgentOptions, Permission } from './ai-sdk-agent-options.js';
import { SubagentCall } from './subagent-call.js';
import { ToolDenied } from './tool-denied.js';

type Execute = NonNullable<Tool['execute']>;
type ExecuteOptions = Parameters<Execute>[1];

/** Where tools put what they have to say before their result. */
export type Emit = (event: AgentEvent) => void;

/**
 * The tools of one run as the AI SDK gets them: the server's with permission and context around
 * them, the front end's and the interrupting ones without anything that could run.
 */
export class RunTools {
  private readonly decisions = new Map<string, Promise<Permission>>();

  constructor(
    private readonly options: AiSdkAgentOptions,
    private readonly context: RuntimeContext,
    private readonly emit: Emit,
  ) {}

  /** @param extra tools of the agent's own making. */
  toolSet(extra: ToolSet): ToolSet {
    const set: ToolSet = {};
    for (const {
      name,
      description,
      parameters,
      frontend,
    } of this.context.toolkit.list())
      if (frontend) set[name] = schemaOnly(description, parameters);
      else if (this.isServerTool(name)) set[name] = this.guarded(name);
    for (const { name, description, parameters } of this.interruptTools())
      set[name] = schemaOnly(description, parameters);
    return { ...set, ...extra };
  }

  isFrontendTool(name: string): boolean {
    return this.context.toolkit.get(name)?.frontend === true;
  }

  /**
   * Runs a tool for a call that the user has approved; edited arguments have to fit as well.
   *
   * @throws whatever the tool throws; an error if there is no such tool, or the arguments do not fit.
   */
  async executeApproved(call: ToolUseBlock): Promise<unknown> {
    const { execute, inputSchema } = this.serverTool(call.name);
    const checked = await asSchema(inputSchema).validate?.(call.input);
    if (checked?.success === false)
      throw new Error(`The arguments do not fit: ${checked.error.message}`);
    const input: unknown = checked?.value ?? call.input;
    return execute!(
      input,
      this.executeOptions({ toolCallId: call.id, messages: [] } as never),
    );
  }

  private guarded(name: string): Tool {
    const own = this.serverTool(name);
    return {
      ...own,
      needsApproval: async (input: unknown, call: { toolCallId: string }) =>
        (await this.decide(name, input, call)) === 'ask',
      ...(own.execute && {
        execute: async (input: unknown, call: ExecuteOptions) => {
          if ((await this.decide(name, input, call)) === 'deny')
            throw new ToolDenied(name, this.isSubagent);
          return own.execute!(input, this.executeOptions(call));
        },
      }),
    } as Tool;
  }

  private decide(
    name: string,
    input: unknown,
    call: { toolCallId: string },
  ): Promise<Permission> {
    let decision = this.decisions.get(call.toolCallId);
    if (decision === undefined) {
      decision = this.permissionFor(name, input, call).then((permission) =>
        permission === 'ask' && this.isSubagent ? 'deny' : permission,
      );
      this.decisions.set(call.toolCallId, decision);
    }
    return decision;
  }

  /** The stricter of what the agent and what the tool itself says. */
  private async permissionFor(
    name: string,
    input: unknown,
    call: { toolCallId: string },
  ): Promise<Permission> {
    const block: ToolUseBlock = {
      type: 'tool_use',
      id: call.toolCallId,
      name,
      input: input as Record<string, unknown>,
      content: JSON.stringify(input),
    };
    const permission =
      (await this.options.permission?.(block, this.context)) ?? 'allow';
    if (permission !== 'allow') return permission;
    const { needsApproval } = this.serverTool(name);
    const asks =
      typeof needsApproval === 'function'
        ? await needsApproval(input, call as never)
        : needsApproval === true;
    return asks ? 'ask' : 'allow';
  }

  /** Nobody answers a subagent. */
  private interruptTools() {
    return this.isSubagent ? [] : (this.options.interruptTools ?? []);
  }

  private get isSubagent(): boolean {
    return this.context.get(SubagentCall) !== undefined;
  }

  private executeOptions(call: ExecuteOptions): ExecuteOptions {
    const { context, emit } = this;
    return {
      ...call,
      abortSignal: context.signal,
      context,
      signal: context.signal,
      emit,
    } as ExecuteOptions;
  }

  private isServerTool(name: string): boolean {
    return Object.hasOwn(this.options.tools ?? {}, name);
  }

  private serverTool(name: string): Tool {
    const found = this.isServerTool(name)
      ? this.options.tools![name]
      : undefined;
    if (found === undefined) throw new Error(`There is no tool "${name}".`);
    return found;
  }
}

function schemaOnly(
  description: string | undefined,
  parameters: unknown,
): Tool {
  return tool({
    description,
    inputSchema: jsonSchema(
      (parameters ?? { type: 'object', properties: {} }) as never,
    ),
  }) as Tool;
}
