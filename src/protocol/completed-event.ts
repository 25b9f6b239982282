import {
  EventType,
  PROTOCOL_VERSION,
  type ContentPart,
  type RunAgentInput,
  type RunErrorEvent,
  type ToolCallResultEvent,
} from '@ag-ui/core';
import type { AguiEvent } from './agui-event.js';
import { jsonText } from './json-text.js';

const PART_TYPES: ReadonlySet<unknown> = new Set<ContentPart['type']>([
  'text',
  'image',
  'audio',
  'video',
  'document',
]);

/** The type of what should be an event; undefined if it has none. */
export function typeOf(raw: unknown): string | undefined {
  const type = (raw as { type?: unknown } | null | undefined)?.type;
  return typeof type === 'string' ? type : undefined;
}

/** An event with the members that its run determines, or that have only one right value. */
export function completed(
  raw: AguiEvent,
  { threadId, runId }: RunAgentInput,
): AguiEvent {
  switch (raw.type) {
    case EventType.RUN_STARTED:
      return { ...raw, threadId, runId, protocolVersion: PROTOCOL_VERSION };
    case EventType.RUN_FINISHED:
      return { ...raw, threadId, runId };
    case EventType.RUN_ERROR:
      return typeof raw.message === 'string'
        ? raw
        : { ...(raw as RunErrorEvent), message: 'The run failed.' };
    case EventType.REASONING_MESSAGE_START:
      return { ...raw, role: 'reasoning' };
    case EventType.TOOL_CALL_RESULT: {
      const messageId =
        typeof raw.messageId === 'string'
          ? raw.messageId
          : `${String(raw.toolCallId)}-result`;
      return { ...raw, messageId, content: resultContent(raw.content) };
    }
    default:
      return raw;
  }
}

/** A tool's result whose content is written out as text, whatever it is. */
export function withTextContent(raw: ToolCallResultEvent): ToolCallResultEvent {
  return { ...raw, content: textOf(raw.content) };
}

/** What a tool returned that is neither text nor parts becomes text. */
function resultContent(content: unknown): string | ContentPart[] {
  const isParts =
    Array.isArray(content) &&
    (content.length === 0 ||
      content.some((item) => PART_TYPES.has(typeOf(item))));
  return isParts ? content : textOf(content);
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return content === null ? '' : jsonText(content);
}
