import {
  context,
  trace,
  type Context,
  type Span,
  type Tracer,
} from '@opentelemetry/api';
import type { AgentEvent, AgentEventOf } from '../agent/agent-event.js';
import type { ExecutedCall } from '../agent/tool-surroundings.js';
import { ATTRIBUTE, errorTypeOf, OPERATION } from './attributes.js';
import { fail } from './fail.js';

/** A call whose arguments are complete; perhaps it is the front end's to execute. */
interface Call {
  name: string;
  begun?: number;
  parent: Context;
}

/** A call that is executed here. */
interface ExecutedTool {
  span: Span;
  within: Context;
}

/** The tools of one run: a span for each that is executed here. */
export class ToolSpans {
  private readonly names = new Map<string, string>();
  private readonly calls = new Map<string, Call>();
  private readonly tools = new Map<string, ExecutedTool>();
  /** What a subagent has said may be told of when its tool has ended. */
  private readonly contexts = new Map<string, Context>();
  /** The calls of which the agent says itself when they are executed; of others the result shows it. */
  private readonly told = new Set<string>();

  /** @param within the context of the run. */
  constructor(
    private readonly tracer: Tracer,
    private readonly within: Context,
  ) {}

  /** The context of the tool that an event comes out of, if it is a subagent's; otherwise the run's. */
  contextOf({ metadata }: AgentEvent): Context {
    const id = metadata?.['parentToolCallId'] as string;
    this.executed(id);
    return this.contexts.get(id) ?? this.within;
  }

  /** The other events of a call may leave its name out. */
  name({ toolCallId, toolCallName }: AgentEventOf<'TOOL_CALL_START'>): void {
    this.names.set(toolCallId, toolCallName);
  }

  /** The arguments are complete: whoever executes it may begin. */
  start(event: AgentEventOf<'TOOL_CALL_END'>): void {
    const { toolCallId, toolCallName } = event;
    if (this.told.has(toolCallId)) return;
    this.calls.set(toolCallId, {
      name: this.names.get(toolCallId) ?? toolCallName,
      begun: Date.now(),
      parent: this.contextOf(event),
    });
  }

  /** Executes a tool within its span, which ends with it. */
  execute<T>(
    { toolCallId, toolCallName: name }: ExecutedCall,
    act: () => T,
  ): T {
    this.told.add(toolCallId);
    this.calls.delete(toolCallId);
    const active = context.active();
    const parent = trace.getSpan(active) === undefined ? this.within : active;
    const { within } = this.open(toolCallId, { name, parent });
    const settle = (error?: unknown) => this.settle(toolCallId, error);
    const result = context.with(within, act);
    if (result instanceof Promise) result.then(() => settle(), settle);
    else settle();
    return result;
  }

  /** There is a result, so somebody has executed it. */
  end({ toolCallId, state }: AgentEventOf<'TOOL_RESULT_END'>): void {
    if (state === 'denied' || state === 'running') return;
    if (this.told.has(toolCallId)) return;
    const tool = this.executed(toolCallId);
    if (tool === undefined) return;
    if (state !== 'success') fail(tool.span, state);
    this.finish(toolCallId, tool);
  }

  /** Ends what is being executed still. */
  close(): void {
    for (const [toolCallId, tool] of this.tools) this.finish(toolCallId, tool);
  }

  private settle(toolCallId: string, error: unknown): void {
    const tool = this.tools.get(toolCallId);
    if (tool === undefined) return;
    // Somebody else is to give the result.
    const isSuspended = (error as Error | undefined)?.name === 'ToolSuspend';
    if (error !== undefined && !isSuspended)
      fail(tool.span, errorTypeOf(error));
    this.finish(toolCallId, tool);
  }

  private finish(toolCallId: string, { span }: ExecutedTool): void {
    span.end();
    this.tools.delete(toolCallId);
  }

  /** A call that turns out to be executed here. */
  private executed(toolCallId: string): ExecutedTool | undefined {
    const call = this.calls.get(toolCallId);
    this.calls.delete(toolCallId);
    return call === undefined
      ? this.tools.get(toolCallId)
      : this.open(toolCallId, call);
  }

  private open(toolCallId: string, call: Call): ExecutedTool {
    const { name, begun: startTime, parent } = call;
    const attributes = {
      [ATTRIBUTE.OPERATION]: OPERATION.TOOL,
      [ATTRIBUTE.TOOL_NAME]: name,
      [ATTRIBUTE.TOOL_CALL_ID]: toolCallId,
      [ATTRIBUTE.TOOL_TYPE]: 'function',
    };
    const span = this.tracer.startSpan(
      `${OPERATION.TOOL} ${name}`,
      { startTime, attributes },
      parent,
    );
    const tool = { span, within: trace.setSpan(parent, span) };
    this.tools.set(toolCallId, tool);
    this.contexts.set(toolCallId, tool.within);
    return tool;
  }
}
