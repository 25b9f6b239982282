import { AGUI_MEDIA_TYPE, EventEncoder } from '@ag-ui/encoder';
import type { AguiEvent } from './agui-event.js';
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
  encode: (event) => `data: ${jsonText(event)}\n\n`,
  keepAlive: ': keep-alive\n\n',
};

const official = new EventEncoder();

/** AG-UI "HTTP + Protobuf": a 32-bit big-endian length, then that many bytes. */
export const protobufEncoder: AguiEventEncoder = {
  mediaType: PROTOBUF_MEDIA_TYPE,
  encode: (event) =>
    official.encodeProtobuf(JSON.parse(jsonText(event)) as AguiEvent),
};
