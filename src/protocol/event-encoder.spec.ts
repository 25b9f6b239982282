import { EventType } from '@ag-ui/core';
import { EventSchemas } from '@ag-ui/core/schemas';
import { parseProtoStream } from '@ag-ui/client';
import { AGUI_MEDIA_TYPE } from '@ag-ui/encoder';
import { Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { AguiEvent } from './agui-event.js';
import {
  loadProtobufEncoder,
  PROTOBUF_MEDIA_TYPE,
  SseEncoder,
  SSE_MEDIA_TYPE,
} from './event-encoder.js';
import { EVERY_EVENT } from './every-event.fixture.js';

function custom(value: unknown): AguiEvent {
  return { type: EventType.CUSTOM, name: 'n', value };
}

/** The events that the official client reads from frames. */
function decoded(...frames: (string | Uint8Array)[]): unknown[] {
  const events: unknown[] = [];
  const source = new Subject<unknown>();
  parseProtoStream(source as never).subscribe({
    next: (event) => events.push(EventSchemas.parse(event)),
    error: (error: unknown) => events.push(error),
  });
  for (const data of frames) source.next({ type: 'data', data });
  source.complete();
  return events;
}

describe('SseEncoder', () => {
  const sseEncoder = new SseEncoder();

  it('should write one data line with one JSON object, ended by two line feeds', () => {
    const frame = sseEncoder.encode({
      type: EventType.TEXT_MESSAGE_CONTENT,
      messageId: 'm1',
      delta: 'Grüße,\r\nwörld\n\n"x"\u2028',
    });
    expect(frame).toBe(
      'data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"m1","delta":"Grüße,\\r\\nwörld\\n\\n\\"x\\"\u2028"}\n\n',
    );
  });

  it('should have the media type and a comment to keep the stream alive', () => {
    expect(sseEncoder.mediaType).toBe('text/event-stream');
    expect(SSE_MEDIA_TYPE).toBe('text/event-stream');
    expect(sseEncoder.keepAlive).toBe(': keep-alive\n\n');
  });

  it('should leave out members that have no value', () => {
    expect(
      sseEncoder.encode({
        type: EventType.TEXT_MESSAGE_END,
        messageId: 'm1',
        timestamp: undefined,
      }),
    ).toBe('data: {"type":"TEXT_MESSAGE_END","messageId":"m1"}\n\n');
  });

  it('should escape a lone surrogate, which UTF-8 cannot carry', () => {
    expect(sseEncoder.encode(custom('\ud83d'))).toBe(
      'data: {"type":"CUSTOM","name":"n","value":"\\ud83d"}\n\n',
    );
  });

  it('should write a BigInt as text and leave out what contains itself', () => {
    const value: Record<string, unknown> = { big: 12n, list: [1] };
    value['self'] = value;
    (value['list'] as unknown[]).push(value);
    expect(sseEncoder.encode(custom(value))).toBe(
      'data: {"type":"CUSTOM","name":"n","value":{"big":"12","list":[1,null]}}\n\n',
    );
  });

  it('should write out what is only mentioned twice', () => {
    const shared = { a: 1n };
    expect(sseEncoder.encode(custom([shared, shared]))).toBe(
      'data: {"type":"CUSTOM","name":"n","value":[{"a":"1"},{"a":"1"}]}\n\n',
    );
  });
});

describe('loadProtobufEncoder', async () => {
  const protobufEncoder = await loadProtobufEncoder();

  it('should have the media type and nothing to keep the stream alive', () => {
    expect(protobufEncoder.mediaType).toBe(PROTOBUF_MEDIA_TYPE);
    expect(PROTOBUF_MEDIA_TYPE).toBe(AGUI_MEDIA_TYPE);
    expect(protobufEncoder.keepAlive).toBeUndefined();
  });

  it('should be tried with every type of event', () => {
    expect(new Set(EVERY_EVENT.map(({ type }) => type))).toEqual(
      new Set(Object.values(EventType)),
    );
  });

  it.each(EVERY_EVENT)('should lose nothing of $type', (event) => {
    expect(decoded(protobufEncoder.encode(event))).toEqual([event]);
  });

  it('should write a big-endian length before each event', () => {
    const frames = EVERY_EVENT.map((event) => protobufEncoder.encode(event));
    const [first] = frames as Uint8Array[];
    expect([...first!.subarray(0, 4)]).toEqual([0, 0, 0, first!.length - 4]);
    expect(decoded(...frames)).toEqual(EVERY_EVENT);
  });

  it('should carry what JSON cannot say as the text binding does', () => {
    const value: Record<string, unknown> = { big: 12n, lone: 'a\ud83d' };
    value['self'] = value;
    expect(decoded(protobufEncoder.encode(custom(value)))).toEqual([
      custom({ big: '12', lone: 'a\ufffd' }),
    ]);
  });

  it('should take no harm from prototype names', () => {
    const snapshot: unknown = JSON.parse('{"__proto__":{"x":1},"a":1}');
    const event = { type: EventType.STATE_SNAPSHOT, snapshot } as AguiEvent;
    expect(decoded(protobufEncoder.encode(event))).toMatchObject([
      { snapshot: { a: 1 } },
    ]);
    expect(({} as { x?: number }).x).toBeUndefined();
  });
});
