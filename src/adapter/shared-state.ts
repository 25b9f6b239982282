import { EventType, type JsonPatch } from '@ag-ui/core';
import jsonPatch from 'fast-json-patch';
import type { StateUpdateMode } from '../agent/agent-event.js';
import type { AguiEvent } from '../protocol/agui-event.js';
import { asJson, HeldState } from '../protocol/held-state.js';

/** Paths that JSON Patch libraries refuse, because they may lead into a prototype. */
const REFUSED_PATH = /\/(__proto__|constructor\/prototype)(\/|$)/;

/** Tells the client of changes of the shared state, against what it holds (AG-UI: "State"). */
export class SharedState {
  private readonly client: HeldState;

  /** @param initial the run input's state; without one, what the client holds is not known. */
  constructor(initial: unknown) {
    this.client = new HeldState(initial);
  }

  /** The event that brings the client to a new state; undefined if a patch would be empty. */
  eventFor(
    state: unknown,
    mode: StateUpdateMode = 'SNAPSHOT',
  ): AguiEvent | undefined {
    const snapshot = asJson(state);
    const held = mode === 'DELTA' ? this.client.current() : undefined;
    const delta = held && patchOf(held.state, snapshot);
    if (delta === undefined)
      return { type: EventType.STATE_SNAPSHOT, snapshot };
    return delta.length === 0
      ? undefined
      : { type: EventType.STATE_DELTA, delta };
  }

  /** Takes note of an event that left. */
  sent(event: AguiEvent): void {
    this.client.apply(event);
  }
}

/** The RFC 6902 patch from one value to another; undefined if clients could not apply it. */
function patchOf(before: unknown, after: unknown): JsonPatch | undefined {
  if (
    !isContainer(before) ||
    !isContainer(after) ||
    Array.isArray(before) !== Array.isArray(after)
  )
    return before === after ? [] : [{ op: 'replace', path: '', value: after }];
  const patch = jsonPatch.compare(before, after) as JsonPatch;
  return patch.some(({ path }) => REFUSED_PATH.test(path)) ? undefined : patch;
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
