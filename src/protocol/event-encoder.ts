import { AGUI_MEDIA_TYPE, EventEncoder } from '@ag-ui/encoder';
import type { AguiEvent } from './agui-event.js';

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
  encode: (event) => `data: ${jsonOf(event)}\n\n`,
  keepAlive: ': keep-alive\n\n',
};

const official = new EventEncoder();

/** AG-UI "HTTP + Protobuf": a 32-bit big-endian length, then that many bytes. */
export const protobufEncoder: AguiEventEncoder = {
  mediaType: PROTOBUF_MEDIA_TYPE,
  encode: (event) =>
    official.encodeProtobuf(JSON.parse(jsonOf(event)) as AguiEvent),
};

/** JSON of any event; what JSON cannot say (cycles, BigInt) is left out or written as text. */
function jsonOf(event: AguiEvent): string {
  try {
    return JSON.stringify(event);
  } catch {
    return JSON.stringify(event, sayable());
  }
}

function sayable() {
  const ancestors: unknown[] = [];
  return function (this: unknown, _key: string, value: unknown): unknown {
    if (typeof value === 'bigint') return value.toString();
    if (typeof value !== 'object' || value === null) return value;
    while (ancestors.length > 0 && ancestors.at(-1) !== this) ancestors.pop();
    if (ancestors.includes(value)) return undefined;
    ancestors.push(value);
    return value;
  };
}
