import { EventType } from '@ag-ui/core';
import type { AguiEvent } from './agui-event.js';
import { isPlainPiece } from './conform.js';
import { jsonText } from './json-text.js';

/** The media type of AG-UI's protobuf binding. */
export const PROTOBUF_MEDIA_TYPE = 'application/vnd.ag-ui.event+proto';
/** The media type of AG-UI's default binding. */
export const SSE_MEDIA_TYPE = 'text/event-stream';

/** Turns events into the frames of one transport binding. */
export interface AguiEventEncoder {
  readonly mediaType: string;
  encode(event: AguiEvent): string | Uint8Array;
  /** A frame that says nothing, for a stream that must not look dead; absent where the binding has none. */
  readonly keepAlive?: string;
}

/**
 * AG-UI "HTTP + Server-Sent Events": one `data:` line with one JSON object, ended by LF LF. One encoder
 * per stream: it remembers how the frames of the message begin whose pieces follow each other.
 */
export class SseEncoder implements AguiEventEncoder {
  readonly mediaType = SSE_MEDIA_TYPE;
  readonly keepAlive = ': keep-alive\n\n';
  private type: string | undefined;
  private id: string | undefined;
  private beginning = '';

  encode(event: AguiEvent): string {
    switch (event.type) {
      case EventType.TEXT_MESSAGE_CONTENT:
      case EventType.REASONING_MESSAGE_CONTENT:
        if (isPlainPiece(event, 'messageId') && !('timestamp' in event))
          return this.piece(event, 'messageId', event.messageId);
        break;
      case EventType.TOOL_CALL_ARGS:
        if (isPlainPiece(event, 'toolCallId') && !('timestamp' in event))
          return this.piece(event, 'toolCallId', event.toolCallId);
    }
    return `data: ${jsonText(event)}\n\n`;
  }

  private piece(
    { type, delta }: { type: string; delta: string },
    idMember: string,
    id: string,
  ): string {
    if (id !== this.id || type !== this.type) {
      this.type = type;
      this.id = id;
      this.beginning = `data: {"type":"${type}","${idMember}":${JSON.stringify(id)},"delta":`;
    }
    return `${this.beginning}${JSON.stringify(delta)}}\n\n`;
  }
}

/**
 * AG-UI "HTTP + Protobuf": a 32-bit big-endian length, then that many bytes. The official encoder is loaded when
 * the first client asks for it, since few do, and it would be a twentieth of what importing this module takes.
 */
export async function loadProtobufEncoder(): Promise<AguiEventEncoder> {
  const { EventEncoder } = await import('@ag-ui/encoder');
  const official = new EventEncoder();
  return {
    mediaType: PROTOBUF_MEDIA_TYPE,
    encode: (event) =>
      official.encodeProtobuf(JSON.parse(jsonText(event)) as AguiEvent),
  };
}
