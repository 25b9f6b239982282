import type { Interrupt } from '@ag-ui/core';
import { jsonText } from '../../protocol/json-text.js';
import type { Conversation } from '../conversation.js';
import { NEW_THREAD, type ThreadRecord } from '../thread-store.js';

/** A hash as Redis gives it: names and values in turn. */
export type Fields = readonly string[];

/** A record as Redis gives it: its fields, the open interrupts, the answered ones. */
export type StoredRecord = readonly [
  fields: Fields,
  open: readonly string[],
  answered: readonly string[],
];

/** The fields of a record that are JSON. */
const JSON_FIELDS = [
  'agentId',
  'branch',
  'mustAnswer',
  'messages',
  'state',
  'session',
] as const;

/** A hash as an object. */
export function objectOf(fields: Fields): Record<string, string> {
  const object: Record<string, string> = {};
  for (let n = 0; n < fields.length; n += 2)
    object[fields[n]!] = fields[n + 1]!;
  return object;
}

export function recordOf([fields, open, answered]: StoredRecord): ThreadRecord {
  const { lastRunId, ...stored } = objectOf(fields);
  const record: Record<string, unknown> = { ...NEW_THREAD, lastRunId };
  for (const name of JSON_FIELDS)
    record[name] =
      stored[name] === undefined
        ? structuredClone(NEW_THREAD[name])
        : JSON.parse(stored[name]);
  return {
    ...(record as unknown as ThreadRecord),
    interrupts: interruptsOf(open),
    answered: interruptsOf(answered),
  };
}

export function conversationOf(fields: Fields): Conversation {
  const { messages = '[]', state } = objectOf(fields);
  return {
    messages: JSON.parse(messages) as Conversation['messages'],
    state: state === undefined ? undefined : JSON.parse(state),
  };
}

/** Names and values of a conversation. */
export function fieldsOfConversation({
  messages,
  state,
}: Conversation): string[] {
  return [
    'messages',
    jsonText(messages),
    ...(state === undefined ? [] : ['state', jsonText(state)]),
  ];
}

/** Names and values of what changes of a record; an empty value is for what is to be there no longer. */
export function fieldsOf(changes: Partial<ThreadRecord>): string[] {
  return JSON_FIELDS.flatMap((name) =>
    name in changes
      ? [name, changes[name] === undefined ? '' : jsonText(changes[name])]
      : [],
  );
}

/** The number of interrupts, then their ids and what they are; an empty text if they do not change. */
export function interruptFields(
  interrupts: readonly Interrupt[] | undefined,
): string[] {
  if (interrupts === undefined) return [''];
  return [
    String(interrupts.length),
    ...interrupts.flatMap((interrupt, order) => [
      interrupt.id,
      jsonText({ order, interrupt }),
    ]),
  ];
}

/** Redis keeps no order. */
function interruptsOf(stored: readonly string[]): Interrupt[] {
  return stored
    .map((text) => JSON.parse(text) as { order: number; interrupt: Interrupt })
    .sort((one, other) => one.order - other.order)
    .map(({ interrupt }) => interrupt);
}
