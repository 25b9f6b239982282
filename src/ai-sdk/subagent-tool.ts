import { jsonSchema, type Tool } from 'ai';
import type { AgentEvent } from '../agent/agent-event.js';
import type { RuntimeContext } from '../agent/runtime-context.js';
import { Toolkit } from '../agent/toolkit.js';
import { agentTool, type ToolCallContext } from './agent-tool.js';
import type { AiSdkAgent } from './ai-sdk-agent.js';
import { SubagentCall } from './subagent-call.js';
import { publicText } from './tool-report.js';

/** What the model of the other agent is told of a subagent. */
export interface SubagentToolOptions {
  /** The subagent's name, which clients see. */
  name: string;
  /** What it is good for, which the model sees. */
  description: string;
}

/** The tool by which an agent hands a task to another one, whose events appear as a subagent's. */
export function subagentTool(
  agent: AiSdkAgent,
  { name, description }: SubagentToolOptions,
): Tool<{ task: string }, string> {
  return agentTool({
    description,
    inputSchema: jsonSchema<{ task: string }>({
      type: 'object',
      properties: {
        task: { type: 'string', description: 'What the subagent shall do' },
      },
      required: ['task'],
    }),
    execute: ({ task }, call) => new SubagentRun(name, call).run(agent, task),
  });
}

/** One task of a subagent. */
class SubagentRun {
  private answer = '';
  private replyId = '';

  constructor(
    private readonly name: string,
    private readonly call: ToolCallContext,
  ) {}

  /** @returns the subagent's last words. */
  async run(agent: AiSdkAgent, task: string): Promise<string> {
    const { toolCallId, context } = this.call;
    const question = {
      id: `${toolCallId}-task`,
      role: 'user' as const,
      content: [{ type: 'text' as const, text: task }],
    };
    try {
      const events = agent.streamEvents([question], contextOf(agent, context));
      for await (const event of events) this.pass(event);
      return this.answer;
    } catch (error) {
      const text = publicText({ toolCallName: this.name }, error);
      this.call.emit(
        this.marked({ type: 'AGENT_END', replyId: this.replyId, error: text }),
      );
      throw error;
    }
  }

  private pass(event: AgentEvent): void {
    if (event.source === undefined) this.listen(event);
    // The final message is the tool's result, and would be the run's own.
    if (event.type !== 'AGENT_RESULT') this.call.emit(this.marked(event));
  }

  private listen(event: AgentEvent): void {
    if (event.type === 'AGENT_START') this.replyId = event.replyId;
    // What was said before a further model call was not the last word.
    if (event.type === 'MODEL_CALL_START') this.answer = '';
    if (event.type === 'TEXT_BLOCK_DELTA') this.answer += event.delta;
  }

  /** The event as the subagent's: `main/<name>`, and its own subagents' below. */
  private marked(event: AgentEvent): AgentEvent {
    const below = event.source?.replace(/^main\//, '/') ?? '';
    return {
      ...event,
      source: `main/${this.name}${below}`,
      metadata: {
        taskId: this.call.toolCallId,
        parentToolCallId: this.call.toolCallId,
        ...event.metadata,
      },
    };
  }
}

/** The subagent has its own tools; the front end's belong to the agent that the user talks to. */
function contextOf(agent: AiSdkAgent, context: RuntimeContext): RuntimeContext {
  return context
    .with({ toolkit: new Toolkit(agent.toolkit.list()) })
    .put(SubagentCall, new SubagentCall());
}
