import type { AgentEventConverter } from './adapter/agent-event-converter.js';
import { AgentEventType } from './agent/agent-event.js';
import { hasMethod, isKnownNot, type ExtensionRef } from './extension-ref.js';
import { InvalidExtensionError } from './invalid-extension.error.js';
import { messageOf } from './thrown.js';

/** A converter, of the types that its decorator names or else of those that it names itself. */
export function withTypes(
  ref: ExtensionRef<AgentEventConverter>,
  named: readonly AgentEventType[],
): ExtensionRef<AgentEventConverter> {
  checkTypes(ref, named);
  if (named.length === 0) return ref;
  const typed = (converter: AgentEventConverter): AgentEventConverter =>
    // Of the converter's class still, for messages.
    Object.assign(Object.create(Object.getPrototypeOf(converter) as object), {
      eventTypes: () => named,
      convert: (event, context) => converter.convert(event, context),
    } satisfies AgentEventConverter);
  return {
    ...ref,
    ...(ref.instance !== undefined && { instance: typed(ref.instance) }),
    resolve: async (scope) => typed(await ref.resolve(scope)),
  };
}

function checkTypes(
  ref: ExtensionRef<AgentEventConverter>,
  named: readonly AgentEventType[],
): void {
  const types = named.length > 0 ? named : ownTypes(ref);
  const unknown = types.find((type) => !Object.hasOwn(AgentEventType, type));
  if (unknown !== undefined)
    throw new InvalidExtensionError(
      ref.name,
      `converts "${String(unknown)}", which is no type of agent event. The types are ${Object.keys(AgentEventType).join(', ')}.`,
    );
  const silent =
    'instance' in ref
      ? types.length === 0
      : isKnownNot(ref, (value) => hasMethod(value, 'eventTypes'));
  if (silent && named.length === 0)
    throw new InvalidExtensionError(
      ref.name,
      'converts no type of agent event. Name the types in @AgentEventConverter(…), or give it eventTypes().',
    );
}

/** The types that a converter names itself. */
function ownTypes({
  instance,
  name,
}: ExtensionRef<AgentEventConverter>): AgentEventType[] {
  try {
    return [...(instance?.eventTypes?.() ?? [])];
  } catch (error) {
    throw new InvalidExtensionError(
      name,
      `cannot tell what it converts: eventTypes() must return a list of types of agent events. ${messageOf(error)}`,
    );
  }
}
