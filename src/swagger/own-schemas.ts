import type { ReferenceObject, SchemaObject } from '@nestjs/swagger';
import { refTo } from './protocol-schemas.js';

const TEXT: SchemaObject = { type: 'string' };

/** What a request about a thread may name; the rest of a run input may come along. */
const THREAD_REQUEST = object(
  {
    threadId: TEXT,
    runId: TEXT,
    protocolVersion: TEXT,
    forwardedProps: {},
  },
  ['threadId'],
);

const CANCELLED_RUN = object(
  { threadId: TEXT, runId: TEXT, cancelled: { type: 'boolean' } },
  ['threadId', 'cancelled'],
);

/** How NestJS words an `HttpException`; an `AguiError` adds its code. */
const REFUSAL = object(
  {
    statusCode: { type: 'integer' },
    message: TEXT,
    error: TEXT,
    code: TEXT,
  },
  ['statusCode', 'message'],
);

const INVALID_INPUT = object(
  {
    statusCode: { type: 'integer' },
    message: TEXT,
    errors: {
      type: 'array',
      items: object({ path: TEXT, message: TEXT }, ['path', 'message']),
    },
  },
  ['statusCode', 'message', 'errors'],
);

/** The schemas of the routes that are not the protocol's. */
export function ownSchemas(
  nameOf: (name: string) => string,
): Record<string, SchemaObject> {
  const listedAgent = object(
    { id: TEXT, capabilities: refTo(nameOf('AgentCapabilities')) },
    ['id'],
  );
  return {
    [nameOf('ThreadRequest')]: THREAD_REQUEST,
    [nameOf('CancelledRun')]: CANCELLED_RUN,
    [nameOf('ListedAgent')]: listedAgent,
    [nameOf('Refusal')]: REFUSAL,
    [nameOf('InvalidRunAgentInput')]: INVALID_INPUT,
  };
}

function object(
  properties: Record<string, SchemaObject | ReferenceObject>,
  required: string[],
): SchemaObject {
  return { type: 'object', properties, required };
}
