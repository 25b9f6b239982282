import { asSchema, jsonSchema, tool, type Tool, type ToolSet } from 'ai';
import type { AgentEvent } from '../agent/agent-event.js';
import type { ToolUseBlock } from '../agent/msg.js';
import type { RuntimeContext } from '../agent/runtime-context.js';
import { ToolSurroundings } from '../agent/tool-surroundings.js';
import { AguiError, AguiErrorCode } from '../protocol/agui-error.js';
import type { AiSdkAgentOptions, Permission } from './ai-sdk-agent-options.js';
import { throwIfFailed } from './mcp-result.js';
import { SubagentCall } from './subagent-call.js';
import { ToolDenied } from './tool-denied.js';
import { ToolSuspend } from './tool-suspend.js';

type ExecuteOptions = Parameters<NonNullable<Tool['execute']>>[1];
type Call = Pick<ExecuteOptions, 'toolCallId' | 'messages' | 'abortSignal'>;

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
      else if (this.isOffered(name)) set[name] = this.guarded(name);
    for (const { name, description, parameters } of this.interruptTools())
      set[name] = schemaOnly(description, parameters);
    return { ...set, ...extra };
  }

  isFrontendTool(name: string): boolean {
    return this.context.toolkit.get(name)?.frontend === true;
  }

  /**
   * Runs a tool for a call that the user has approved; edited arguments have to fit, and to be
   * allowed, as well.
   *
   * @throws whatever the tool throws; an error if there is no such tool, or the arguments do not fit.
   */
  async executeApproved(call: ToolUseBlock): Promise<unknown> {
    if ((await this.options.permission?.(call, this.context)) === 'deny')
      throw new ToolDenied(call.name, this.isSubagent);
    const { id: toolCallId, name, input } = call;
    return this.execute(name, input, { toolCallId, messages: [] });
  }

  private guarded(name: string): Tool {
    const own = this.serverTool(name);
    return {
      ...own,
      inputSchema: onlyChecking(own.inputSchema),
      needsApproval: async (input: unknown, call: Call) =>
        (await this.decide(name, input, call)) === 'ask',
      ...(own.execute && {
        execute: async (input: unknown, call: Call) => {
          if ((await this.decide(name, input, call)) === 'deny')
            throw new ToolDenied(name, this.isSubagent);
          return this.execute(name, input, call);
        },
      }),
    } as Tool;
  }

  private async execute(
    name: string,
    input: unknown,
    call: Call,
  ): Promise<unknown> {
    const own = this.serverTool(name);
    const checked = await this.checked(name, input);
    const options = this.executeOptions(call);
    const act = async () => {
      const output = await lastOf(own.execute!(checked, options));
      throwIfFailed(output);
      return output;
    };
    const surroundings = this.context.get(ToolSurroundings);
    try {
      if (surroundings === undefined) return await act();
      const { toolCallId } = call;
      return await surroundings.around({ toolCallId, toolCallName: name }, act);
    } catch (error) {
      // Nobody brings a subagent the result.
      if (error instanceof ToolSuspend && this.isSubagent)
        throw new ToolDenied(name, true);
      throw error;
    }
  }

  /** The arguments as the tool takes them. */
  private async checked(name: string, input: unknown): Promise<unknown> {
    const { inputSchema } = this.serverTool(name);
    const checked = await asSchema(inputSchema).validate?.(input);
    if (checked === undefined) return input;
    if (checked.success) return checked.value;
    throw new AguiError(
      `The arguments of "${name}" do not fit: ${checked.error.message}`,
      AguiErrorCode.INVALID_INPUT_ERROR,
      { cause: checked.error },
    );
  }

  /** One decision per call, however often it is asked for. */
  private decide(
    name: string,
    input: unknown,
    call: Call,
  ): Promise<Permission> {
    const content = JSON.stringify(input);
    // Some providers give several calls one id.
    const key = JSON.stringify([call.toolCallId, name, content]);
    let decision = this.decisions.get(key);
    if (decision === undefined) {
      decision = this.permissionFor(name, input, call).then((permission) =>
        permission === 'ask' && this.isSubagent ? 'deny' : permission,
      );
      this.decisions.set(key, decision);
    }
    return decision;
  }

  /** The stricter of what the agent and what the tool itself says. */
  private async permissionFor(
    name: string,
    input: unknown,
    call: Call,
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
        ? await needsApproval(await this.checked(name, input), call as never)
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

  private executeOptions(call: Call): ExecuteOptions {
    const { context, emit } = this;
    const { abortSignal: signal = context.signal } = call;
    return {
      ...call,
      abortSignal: signal,
      context,
      signal,
      emit,
    } as ExecuteOptions;
  }

  /** A tool that nobody executes here is somebody else's to answer, which a subagent has not. */
  private isOffered(name: string): boolean {
    if (!this.isServerTool(name)) return false;
    return !this.isSubagent || this.serverTool(name).execute !== undefined;
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

/**
 * Checks arguments and leaves them as they are: what the user is asked about, and what the model
 * reads again, is what the model wrote.
 */
function onlyChecking(schema: Tool['inputSchema']): Tool['inputSchema'] {
  return jsonSchema(() => asSchema(schema).jsonSchema, {
    validate: async (value) => {
      const checked = await asSchema(schema).validate?.(value);
      return checked?.success === false ? checked : { success: true, value };
    },
  });
}

/** What a tool gives: of one that tells how far it is, the last that it says. */
async function lastOf(output: unknown): Promise<unknown> {
  const given = await output;
  if (!isAsyncIterable(given)) return given;
  let last: unknown;
  for await (const one of given) last = one;
  return last;
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return (
    typeof value === 'object' && value !== null && Symbol.asyncIterator in value
  );
}
