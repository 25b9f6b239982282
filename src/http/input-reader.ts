import { PROTOCOL_VERSION, type RunAgentInput } from '@ag-ui/core';
import { Logger, UnsupportedMediaTypeException } from '@nestjs/common';
import {
  InvalidRunAgentInputError,
  parseRunAgentInput,
} from '../protocol/run-agent-input.js';
import { bodyProblem, invalidInput, notJson } from './body-problem.js';
import { listed, quoted } from '../log-text.js';
import { bodyErrorOf } from './express-edge.js';
import type { HttpExchange } from './http-exchange.js';

/** What a request about a thread need not say. */
const NOTHING_ELSE = { runId: '', messages: [], tools: [], context: [] };

const logger = new Logger('AguiModule');

/**
 * The run input of a request.
 *
 * @throws HttpException 415 for another content type, 413 for too large a body, 400 for what is no
 * run input, with `errors` naming each wrong member.
 */
export function readInput(exchange: HttpExchange): RunAgentInput {
  return read(exchange, exchange.body);
}

/**
 * A request about a thread: its `threadId`, perhaps a `runId`, and whatever else of a run input the
 * client likes to send. The rest is empty, also the run's id.
 *
 * @param threadId is what the path says; the body may then be missing.
 * @throws HttpException like {@link readInput}.
 */
export function readThreadRequest(
  exchange: HttpExchange,
  threadId?: string,
): RunAgentInput {
  const isNamed = threadId !== undefined;
  const { body, rawRequest } = exchange;
  const isMissing = body == null && bodyErrorOf(rawRequest) === undefined;
  if (isNamed && isMissing) return parse({ ...NOTHING_ELSE, threadId });
  const isObject = typeof body === 'object' && body !== null;
  return read(
    exchange,
    isObject && !Array.isArray(body)
      ? { ...NOTHING_ELSE, ...body, ...(isNamed && { threadId }) }
      : body,
  );
}

/** @throws HttpException 415 for another content type, 413 for too large a body, 400 for what is no JSON. */
export function requireJson(exchange: HttpExchange): void {
  const contentType = exchange.header('content-type') ?? '';
  if (!/^application\/json\s*(;|$)/i.test(contentType)) throw notJson();
  // JSON between systems is UTF-8 (RFC 8259); what else it says it is, platforms read in different ways.
  if (/;\s*charset\s*=\s*(?!"?utf-?8"?\s*(;|$))/i.test(contentType))
    throw new UnsupportedMediaTypeException(
      'The run input must be sent as UTF-8.',
    );
  const unreadable = bodyErrorOf(exchange.rawRequest);
  if (unreadable !== undefined) throw bodyProblem(unreadable) ?? unreadable;
}

function read(exchange: HttpExchange, body: unknown): RunAgentInput {
  requireJson(exchange);
  return parse(body);
}

function parse(body: unknown): RunAgentInput {
  try {
    const { input, ignored } = parseRunAgentInput(body);
    reportIgnored(ignored);
    warnOfNewerPeer(input);
    return input;
  } catch (error) {
    if (error instanceof InvalidRunAgentInputError)
      throw invalidInput('The run input is not valid.', error.issues);
    throw error;
  }
}

/** Members too many are nothing new in a newer client; a message or a part too few may be missed. */
function reportIgnored(pointers: readonly string[]): void {
  const items = pointers.filter((pointer) => /\/\d+$/.test(pointer));
  const members = pointers.filter((pointer) => !items.includes(pointer));
  if (items.length > 0)
    logger.warn(
      `Left out of a run input, because AG-UI knows no such role or kind: ${listed(items)}.`,
    );
  if (members.length > 0)
    logger.debug(`Ignored in a run input: ${listed(members)}.`);
}

function warnOfNewerPeer({ protocolVersion }: RunAgentInput): void {
  if (protocolVersion === undefined) return;
  const [major, minor] = protocolVersion.split('.').map(Number);
  const [ourMajor, ourMinor] = PROTOCOL_VERSION.split('.').map(Number);
  const known =
    major! < ourMajor! || (major === ourMajor && minor! <= ourMinor!);
  if (!known)
    logger.warn(
      `A client speaks AG-UI ${quoted(protocolVersion)}; it is answered in ${PROTOCOL_VERSION}.`,
    );
}
