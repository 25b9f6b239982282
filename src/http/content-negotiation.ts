import { NotAcceptableException } from '@nestjs/common';
import Negotiator from 'negotiator';
import {
  loadProtobufEncoder,
  PROTOBUF_MEDIA_TYPE,
  SSE_MEDIA_TYPE,
  SseEncoder,
  type AguiEventEncoder,
} from '../protocol/event-encoder.js';

// The format is UTF-8 by definition; a client may say so.
const SSE_MEDIA_TYPES = [SSE_MEDIA_TYPE, `${SSE_MEDIA_TYPE};charset=utf-8`];

/**
 * The binding that a client accepts. Protobuf only if it is named: clients that send a wildcard
 * (curl, browsers, TanStack AI) read text.
 *
 * @throws NotAcceptableException (406) if it accepts neither.
 */
export async function negotiateEncoder(
  accept: string | undefined,
): Promise<AguiEventEncoder> {
  if (accept === SSE_MEDIA_TYPE) return new SseEncoder();
  const negotiator = new Negotiator({
    headers: { accept: accept || undefined },
  });
  const named = negotiator.mediaTypes().map((type) => type.toLowerCase());
  if (named.includes(PROTOBUF_MEDIA_TYPE)) return loadProtobufEncoder();
  if (negotiator.mediaType(SSE_MEDIA_TYPES) !== undefined)
    return new SseEncoder();
  throw new NotAcceptableException(
    `This endpoint answers ${SSE_MEDIA_TYPE} or ${PROTOBUF_MEDIA_TYPE}.`,
  );
}
