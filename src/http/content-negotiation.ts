import { NotAcceptableException } from '@nestjs/common';
import Negotiator from 'negotiator';
import {
  PROTOBUF_MEDIA_TYPE,
  protobufEncoder,
  SSE_MEDIA_TYPE,
  sseEncoder,
  type AguiEventEncoder,
} from '../protocol/event-encoder.js';

/**
 * The binding that a client accepts. Protobuf only if it is named: clients that send a wildcard
 * (curl, browsers, TanStack AI) read text.
 *
 * @throws NotAcceptableException (406) if it accepts neither.
 */
export function negotiateEncoder(accept: string | undefined): AguiEventEncoder {
  const negotiator = new Negotiator({ headers: { accept } });
  if (negotiator.mediaTypes().includes(PROTOBUF_MEDIA_TYPE))
    return protobufEncoder;
  if (negotiator.mediaType([SSE_MEDIA_TYPE]) !== undefined) return sseEncoder;
  throw new NotAcceptableException(
    `This endpoint answers ${SSE_MEDIA_TYPE} or ${PROTOBUF_MEDIA_TYPE}.`,
  );
}
