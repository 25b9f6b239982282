import { EventType } from '@ag-ui/core';
import type { TextStreamPart, ToolSet } from 'ai';
import type { AgentEvent } from '../agent/agent-event.js';
import { sealSignature } from './artefact.js';
import { reported, reportedError, reportedOutput } from './tool-report.js';
import { ToolSuspend } from './tool-suspend.js';

type Part = TextStreamPart<ToolSet>;
type PartOf<T extends Part['type']> = Extract<Part, { type: T }>;

/** A call that a step left open: nobody has answered it yet. */
export interface OpenCall {
  toolCallId: string;
  toolName: string;
  input: unknown;
}

/** Turns what the AI SDK's stream says of tool calls into agent events. */
export class CallEvents {
  /** Calls without a result, those that were suspended, and those that wait for the user's consent. */
  readonly open = new Map<string, OpenCall>();
  readonly suspended = new Map<string, string>();
  readonly asked = new Set<string>();
  private readonly started = new Set<string>();
  private readonly argued = new Set<string>();
  private readonly hidden = new Set<string>();
  private readonly impossible = new Map<string, unknown>();
  private readonly waiting = new Map<string, () => void>();

  /** @param replyId the reply that the present step belongs to. */
  constructor(
    public replyId: string,
    private readonly isHidden: (toolName: string) => boolean,
  ) {}

  /** Resolves when the client has been told of a whole call. */
  announced(toolCallId: string): Promise<void> {
    if (this.open.has(toolCallId)) return Promise.resolve();
    return new Promise((resolve) => this.waiting.set(toolCallId, resolve));
  }

  /** Answers the calls that nobody will carry out, since the answer which they are part of broke off. */
  *giveUp(isServerTool: (toolName: string) => boolean): Generator<AgentEvent> {
    for (const { toolCallId, toolName } of this.open.values()) {
      if (!isServerTool(toolName)) continue;
      if (this.asked.has(toolCallId) || this.suspended.has(toolCallId))
        continue;
      this.open.delete(toolCallId);
      if (this.hidden.has(toolCallId)) continue;
      const text = `"${toolName}" did not run, because the model's answer broke off.`;
      yield* reported(
        this.named(toolCallId, toolName),
        [{ type: 'text', text }],
        'error',
      );
    }
  }

  protected *callPart(part: Part): Generator<AgentEvent> {
    switch (part.type) {
      case 'tool-input-start':
        return yield* this.callStart(part.id, part.toolName);
      case 'tool-input-delta':
        return yield* this.callDelta(part.id, part.delta);
      case 'tool-call':
        return yield* this.call(part);
      case 'tool-result':
        return yield* this.result(part);
      case 'tool-error':
        return yield* this.error(part);
      case 'tool-approval-request':
        this.asked.add(part.toolCall.toolCallId);
    }
  }

  private *callStart(
    toolCallId: string,
    toolName: string,
  ): Generator<AgentEvent> {
    if (this.started.has(toolCallId)) return;
    this.started.add(toolCallId);
    if (this.isHidden(toolName)) this.hidden.add(toolCallId);
    else yield { type: 'TOOL_CALL_START', ...this.named(toolCallId, toolName) };
  }

  private *callDelta(toolCallId: string, delta: string): Generator<AgentEvent> {
    if (delta === '') return;
    this.argued.add(toolCallId);
    if (!this.hidden.has(toolCallId))
      yield { type: 'TOOL_CALL_DELTA', ...this.named(toolCallId, ''), delta };
  }

  /** The whole call. What was streamed of it is not sent again. */
  private *call(part: PartOf<'tool-call'>): Generator<AgentEvent> {
    const { toolCallId, toolName, input, invalid, error } = part;
    const encryptedValue = sealSignature(part.providerMetadata);
    if (invalid) this.impossible.set(toolCallId, error);
    yield* this.callStart(toolCallId, toolName);
    if (!this.argued.has(toolCallId))
      yield* this.callDelta(toolCallId, argumentText(input));
    if (!this.hidden.has(toolCallId))
      yield { type: 'TOOL_CALL_END', ...this.named(toolCallId, toolName) };
    if (!this.hidden.has(toolCallId) && encryptedValue !== undefined)
      yield sealedCall(toolCallId, encryptedValue);
    this.open.set(toolCallId, { toolCallId, toolName, input });
    this.waiting.get(toolCallId)?.();
    this.waiting.delete(toolCallId);
  }

  private *result(part: PartOf<'tool-result'>): Generator<AgentEvent> {
    if (part.preliminary) return;
    this.open.delete(part.toolCallId);
    if (this.hidden.has(part.toolCallId)) return;
    yield* reportedOutput(
      this.named(part.toolCallId, part.toolName),
      part.output,
    );
  }

  private *error(part: PartOf<'tool-error'>): Generator<AgentEvent> {
    const { toolCallId, toolName } = part;
    if (part.error instanceof ToolSuspend) {
      this.suspended.set(toolCallId, part.error.message);
      return;
    }
    this.open.delete(toolCallId);
    if (this.hidden.has(toolCallId)) return;
    // Of a call that cannot be, the part has no more than the text.
    const error = this.impossible.get(toolCallId) ?? part.error;
    yield* reportedError(this.named(toolCallId, toolName), error);
  }

  private named(toolCallId: string, toolCallName: string) {
    return { replyId: this.replyId, toolCallId, toolCallName };
  }
}

function sealedCall(entityId: string, encryptedValue: string): AgentEvent {
  return {
    type: 'AGUI_EVENT',
    event: {
      type: EventType.REASONING_ENCRYPTED_VALUE,
      subtype: 'tool-call',
      entityId,
      encryptedValue,
    },
  };
}

function argumentText(input: unknown): string {
  return typeof input === 'string' ? input : JSON.stringify(input ?? {});
}
