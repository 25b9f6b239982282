import { AGUI_MEDIA_TYPE, EventEncoder } from '@ag-ui/encoder';
import { EventType } from '@ag-ui/core';
import type { AguiEvent } from './agui-event.js';
import { isPlainPiece } from './conform.js';
import { jsonText } from './json-text.js';

/** The media type of AG-UI's protobuf binding. */
export const PROTOBUF_MEDIA_TYPE: string = AGUI_MEDIA_TYPE;
/** The media type of AG-UI's default binding. */
export const SSE_MEDIA_TYPE = 'text/event-stream';

/** Turns events into the frames of one transport binding. */
export interface AguiEventEncoder {
  readonly mediaType: string;
  encode(event: AguiEvent): string | Uint8Array;
  /** A frame that says nothing, for a stream that must not look dead; absent where the binding has none. */
  readonly keepAlive?: string;
}

/** AG-UI "HTTP + Server-Sent Events": one `data:` line with one JSON object, ended by LF LF. */
export const sseEncoder: AguiEventEncoder = {
  mediaType: SSE_MEDIA_TYPE,
  encode: (event) => `data: ${pieceText(event) ?? jsonText(event)}\n\n`,
  keepAlive: ': keep-alive\n\n',
};

/** The JSON of a piece of text or of arguments, which nearly all events are; three times as fast. */
function pieceText(event: AguiEvent): string | undefined {
  switch (event.type) {
    case EventType.TEXT_MESSAGE_CONTENT:
    case EventType.REASONING_MESSAGE_CONTENT:
      if (!isPlainPiece(event, 'messageId') || 'timestamp' in event) return;
      return `{"type":"${event.type}","messageId":${JSON.stringify(event.messageId)},"delta":${JSON.stringify(event.delta)}}`;
    case EventType.TOOL_CALL_ARGS:
      if (!isPlainPiece(event, 'toolCallId') || 'timestamp' in event) return;
      return `{"type":"${event.type}","toolCallId":${JSON.stringify(event.toolCallId)},"delta":${JSON.stringify(event.delta)}}`;
  }
  return undefined;
}

const official = new EventEncoder();

/** AG-UI "HTTP + Protobuf": a 32-bit big-endian length, then that many bytes. */
export const protobufEncoder: AguiEventEncoder = {
  mediaType: PROTOBUF_MEDIA_TYPE,
  encode: (event) =>
    official.encodeProtobuf(JSON.parse(jsonText(event)) as AguiEvent),
};
