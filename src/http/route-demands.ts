import type { AguiEvent } from '../protocol/agui-event.js';
import type { AguiEventEncoder } from '../protocol/event-encoder.js';
import { negotiateEncoder } from './content-negotiation.js';
import type { HttpExchange } from './http-exchange.js';

/** What a route's clients want to be different; what is not given is as on `AguiModule`'s own routes. */
export interface StreamDemands {
  /** What they are told instead of an event. */
  reword?: (event: AguiEvent) => AguiEvent;
}

/** How they want their runs. */
export interface RunDemands extends StreamDemands {
  /** Has `RUN_STARTED` carry the run's input, with those messages that the thread has not seen. Default false. */
  tellInput?: boolean;
  /** Stops the agent when the client leaves. Default: the property of this name. */
  interruptOnDisconnect?: boolean;
}

/** How they want to come back to a thread. */
export interface ConnectDemands extends StreamDemands {
  /** Answers who asks for a thread that there is not with a stream of nothing, instead of 404. Default false. */
  emptyIfUnknown?: boolean;
}

/** What a route's path says of a thread. */
export interface ThreadPath {
  agentId?: string;
  threadId?: string;
}

/**
 * The binding that a client accepts, in the words that it wants.
 *
 * @throws NotAcceptableException (406) if it accepts none.
 */
export async function encoderFor(
  exchange: HttpExchange,
  { reword }: StreamDemands,
): Promise<AguiEventEncoder> {
  const encoder = await negotiateEncoder(exchange.header('accept'));
  if (reword === undefined) return encoder;
  const { mediaType, keepAlive } = encoder;
  const encode = (event: AguiEvent) => encoder.encode(reword(event));
  return { mediaType, keepAlive, encode };
}
