import { PROTOCOL_VERSION, type RunAgentInput } from '@ag-ui/core';
import type {
  OperationObject,
  ParameterObject,
  ReferenceObject,
  ResponseObject,
  ResponsesObject,
  SchemaObject,
} from '@nestjs/swagger';
import type { AguiProperties } from '../agui.properties.js';
import { AGUI_ROUTE_EXTENSION, type AguiRoute } from '../http/agui-route.js';
import {
  PROTOBUF_MEDIA_TYPE,
  SSE_MEDIA_TYPE,
} from '../protocol/event-encoder.js';
import { refTo } from './protocol-schemas.js';

/** Which operation is described. */
export interface DescribedRoute {
  route: AguiRoute;
  path: string;
  /** Those of the `AguiModule` whose route it is. */
  properties: AguiProperties | undefined;
}

type NameOf = (name: string) => string;
type Parameter = ParameterObject | ReferenceObject;

/** The protocol's schemas that operations refer to. */
export const PROTOCOL_ROOTS = ['RunAgentInput', 'Event', 'AgentCapabilities'];

const RUN_INPUT: RunAgentInput = {
  threadId: 'thread-1',
  runId: 'run-1',
  protocolVersion: PROTOCOL_VERSION,
  state: {},
  messages: [{ id: 'message-1', role: 'user', content: 'Hello' }],
  tools: [],
  context: [],
  forwardedProps: {},
};

const THREAD = { threadId: 'thread-1' };

const REFUSALS = {
  404: 'There is no such agent, or no such thread of the user’s.',
  406: `The client accepts neither ${SSE_MEDIA_TYPE} nor ${PROTOBUF_MEDIA_TYPE}.`,
  409: 'The messages leave what the server keeps of the thread.',
  413: 'The body is too large.',
  415: 'The body is not application/json.',
  500: 'Something failed before the stream.',
  503: 'The server is closing, or cannot reach its threads.',
  504: 'The run took too long to prepare.',
};

type Status = keyof typeof REFUSALS;

interface Description {
  summary: string;
  description: string;
  body?: { schema: string; example: object };
  answer: (nameOf: NameOf) => ResponseObject;
  refusals: readonly Status[];
}

const DESCRIPTIONS: Record<AguiRoute, Description> = {
  run: {
    summary: 'Run an agent',
    description:
      'Streams the AG-UI events of one run. What fails once the stream has begun is the event `RUN_ERROR`.',
    body: { schema: 'RunAgentInput', example: RUN_INPUT },
    answer: eventStream,
    refusals: [404, 406, 409, 413, 415, 500, 503, 504],
  },
  connect: {
    summary: 'Connect to a thread',
    description:
      'Streams a thread as it is, then the run that is active on it, from its beginning and live.',
    body: {
      schema: 'ThreadRequest',
      example: { ...THREAD, protocolVersion: PROTOCOL_VERSION },
    },
    answer: eventStream,
    refusals: [404, 406, 413, 415, 500, 503, 504],
  },
  cancel: {
    summary: 'Cancel the run of a thread',
    description: 'The run ends with the outcome `cancelled`.',
    body: { schema: 'ThreadRequest', example: THREAD },
    answer: (nameOf) => json('What came of it.', refTo(nameOf('CancelledRun'))),
    refusals: [404, 413, 415, 500, 503],
  },
  agents: {
    summary: 'List the agents',
    description: 'The agents that may be asked for, and what they can do.',
    answer: (nameOf) =>
      json('The agents.', {
        type: 'array',
        items: refTo(nameOf('ListedAgent')),
      }),
    refusals: [],
  },
};

/** An operation with all that is known of its route; what it says already stays. */
export function describeOperation(
  operation: OperationObject,
  described: DescribedRoute,
  nameOf: NameOf,
): OperationObject {
  const { [AGUI_ROUTE_EXTENSION]: _, ...said } =
    operation as OperationObject & {
      [AGUI_ROUTE_EXTENSION]?: unknown;
    };
  const { summary, description, body, ...rest } = DESCRIPTIONS[described.route];
  const responses = {
    200: rest.answer(nameOf),
    ...(body && refusalsOf(rest.refusals, nameOf)),
  };
  return {
    ...said,
    summary: said.summary || summary,
    description: said.description ?? description,
    parameters: parametersOf(described, said.parameters),
    ...(body && {
      requestBody: said.requestBody ?? {
        required: true,
        content: {
          'application/json': {
            schema: refTo(nameOf(body.schema)),
            example: body.example,
          },
        },
      },
    }),
    responses: { ...responses, ...telling(said.responses) },
  };
}

function eventStream(nameOf: NameOf): ResponseObject {
  return {
    description:
      'The events of the run: each `data:` line is one of them as JSON.',
    content: {
      [SSE_MEDIA_TYPE]: { schema: refTo(nameOf('Event')) },
      [PROTOBUF_MEDIA_TYPE]: { schema: { type: 'string', format: 'binary' } },
    },
  };
}

function refusalsOf(
  statuses: readonly Status[],
  nameOf: NameOf,
): ResponsesObject {
  const refusal = refTo(nameOf('Refusal'));
  return {
    400: json(
      'The body is no JSON, or not what it should be; `errors` names each wrong member.',
      refTo(nameOf('InvalidRunAgentInput')),
    ),
    ...Object.fromEntries(
      statuses.map((status) => [status, json(REFUSALS[status], refusal)]),
    ),
  };
}

function json(
  description: string,
  schema: SchemaObject | ReferenceObject,
): ResponseObject {
  return { description, content: { 'application/json': { schema } } };
}

function parametersOf(
  { route, path, properties }: DescribedRoute,
  said: readonly Parameter[] = [],
): Parameter[] {
  const known: Parameter[] = [];
  if (path.includes('{agentId}'))
    known.push({
      name: 'agentId',
      in: 'path',
      required: true,
      description: 'The agent.',
      schema: { type: 'string' },
      ...(properties && { example: properties.defaultAgentId }),
    });
  else if (route === 'run' && properties !== undefined)
    known.push({
      name: properties.agentIdHeader,
      in: 'header',
      required: false,
      description: `The agent. Default: \`${properties.defaultAgentId}\`, or what \`forwardedProps.agentId\` names.`,
      schema: { type: 'string' },
    });
  const merged = said.map((one) => ({
    ...known.find((other) => isSame(one, other)),
    ...one,
  }));
  return [
    ...merged,
    ...known.filter((one) => !said.some((other) => isSame(one, other))),
  ];
}

function isSame(one: Parameter, other: Parameter): boolean {
  if ('$ref' in one || '$ref' in other) return false;
  return one.in === other.in && one.name === other.name;
}

/** The responses that say something: for the others the application has said nothing. */
function telling(responses: ResponsesObject): ResponsesObject {
  return Object.fromEntries(
    Object.entries(responses).filter(
      ([, response]) => JSON.stringify(response) !== '{"description":""}',
    ),
  );
}
