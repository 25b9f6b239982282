import type { AgentEvent, AgentEventType } from './agent-event.js';

const LEGACY_TYPES: ReadonlyMap<string, AgentEventType> = new Map(
  Object.entries({
    RUN_STARTED: 'AGENT_START',
    REPLY_START: 'AGENT_START',
    RUN_FINISHED: 'AGENT_END',
    REPLY_END: 'AGENT_END',
    MODEL_CALL_STARTED: 'MODEL_CALL_START',
    MODEL_CALL_ENDED: 'MODEL_CALL_END',
    BINARY_BLOCK_START: 'DATA_BLOCK_START',
    BINARY_BLOCK_DELTA: 'DATA_BLOCK_DELTA',
    BINARY_BLOCK_END: 'DATA_BLOCK_END',
    TOOL_RESULT_BINARY_DELTA: 'TOOL_RESULT_DATA_DELTA',
    THREAD_EXPOSED: 'SUBAGENT_EXPOSED',
  } satisfies Record<string, AgentEventType>),
);

const IDS = ['replyId', 'blockId', 'toolCallId'] as const;

/**
 * The same event as converters know it: under its present name, if it came under one from an earlier
 * AgentScope, without a `source` that names nobody, and with ids that are text.
 */
export function inCurrentForm(event: AgentEvent): AgentEvent {
  if (isInCurrentForm(event)) return event;
  const { source, ...rest } = event;
  const ids = event as IdMembers;
  const wrong = IDS.filter((name) => isNoText(ids[name]));
  return {
    ...rest,
    ...Object.fromEntries(wrong.map((name) => [name, textOfId(ids[name])])),
    type: LEGACY_TYPES.get(event.type) ?? event.type,
    ...(isName(source) && { source }),
  } as AgentEvent;
}

type IdMembers = { [I in (typeof IDS)[number]]?: unknown };

function isInCurrentForm(event: AgentEvent): boolean {
  const { type, source } = event;
  const { replyId, blockId, toolCallId } = event as IdMembers;
  return (
    !LEGACY_TYPES.has(type) &&
    (source === undefined || isName(source)) &&
    !isNoText(replyId) &&
    !isNoText(blockId) &&
    !isNoText(toolCallId)
  );
}

function isName(source: unknown): boolean {
  return typeof source === 'string' && source.trim() !== '';
}

function isNoText(id: unknown): boolean {
  return id !== undefined && typeof id !== 'string';
}

/** Numbers name something; whatever else there is does not. */
function textOfId(id: unknown): string | undefined {
  return typeof id === 'number' || typeof id === 'bigint'
    ? String(id)
    : undefined;
}
