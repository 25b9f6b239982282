import { omitOptionalNulls } from '@ag-ui/core';
import { EventSchemas } from '@ag-ui/core/schemas';
import type { z } from 'zod';
import type { AguiEvent } from './agui-event.js';
import { prune } from './prune.js';
import { recogniserOf } from './recogniser.js';

const SCHEMAS: ReadonlyMap<unknown, z.ZodObject> = new Map(
  (EventSchemas.options as unknown as z.ZodObject[]).map((schema) => [
    [...(schema.shape['type'] as z.ZodLiteral).values][0],
    schema,
  ]),
);

/** Required members that take any JSON value; what JSON cannot say is no value. */
const OPEN_MEMBERS = ['value', 'event', 'snapshot'] as const;

/** Optional members whose loss would say something else: a run that waits would have succeeded. */
const TELLING_MEMBERS: ReadonlySet<PropertyKey> = new Set(['outcome']);

/** An event in the shape that AG-UI's schema describes, and what was wrong with it. */
export interface Conformed {
  /** Undefined if the event cannot be saved. */
  event: AguiEvent | undefined;
  faults: string[];
}

/**
 * Brings one event into its schema's shape: `null` optionals and unknown members go, an optional
 * member with a wrong value goes, and an event with a wrong required member or outcome goes altogether.
 */
export function conform(event: { type: string }): Conformed {
  const schema = SCHEMAS.get(event.type);
  if (schema === undefined)
    return { event: undefined, faults: ['unknown event type'] };
  const unsayable = unsayableMember(event, schema);
  if (unsayable !== undefined)
    return { event: undefined, faults: [`wrong value at /${unsayable}`] };
  if (recogniserOf(schema)(event))
    return { event: event as AguiEvent, faults: [] };
  const { value, removed } = prune(omitOptionalNulls(event, 'Event'), schema);
  const faults = removed.map((path) => `unknown member ${path}`);
  const { candidate, wrong } = withoutWrongOptionals(value, schema);
  for (const path of wrong) faults.push(`wrong value at ${path}`);
  return { event: candidate as AguiEvent | undefined, faults };
}

function withoutWrongOptionals(
  value: unknown,
  schema: z.ZodObject,
): { candidate: unknown; wrong: string[] } {
  if (value === undefined) return { candidate: undefined, wrong: ['/'] };
  const parsed = schema.safeParse(value);
  if (parsed.success) return { candidate: value, wrong: [] };
  const { issues } = parsed.error;
  const wrong = issues.map(({ path }) => `/${path.join('/')}`);
  if (issues.some(({ path: [member] }) => TELLING_MEMBERS.has(member!)))
    return { candidate: undefined, wrong };
  const rest = { ...(value as Record<string, unknown>) };
  for (const { path } of issues) delete rest[String(path[0])];
  const saved = schema.safeParse(rest).success;
  return { candidate: saved ? rest : undefined, wrong };
}

function unsayableMember(
  event: object,
  { shape }: z.ZodObject,
): string | undefined {
  return OPEN_MEMBERS.find((member) => {
    if (!(member in shape)) return false;
    const kind = typeof (event as Record<string, unknown>)[member];
    return kind === 'undefined' || kind === 'function' || kind === 'symbol';
  });
}

/**
 * Whether a streamed piece (an id, a delta, perhaps a timestamp) needs no closer look. These are
 * nearly all events of a run, and the schema costs twenty times as much.
 */
export function isPlainPiece(
  event: object,
  idMember: 'messageId' | 'toolCallId',
): boolean {
  for (const member in event) {
    const value = (event as Record<string, unknown>)[member];
    if (member === idMember || member === 'delta') {
      if (typeof value !== 'string') return false;
    } else if (member === 'timestamp') {
      if (!Number.isSafeInteger(value)) return false;
    } else if (member !== 'type') return false;
  }
  return idMember in event && 'delta' in event;
}
