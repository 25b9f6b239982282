import { EventType, type JsonPatch } from '@ag-ui/core';
import jsonPatch from 'fast-json-patch';
import type { StateUpdateMode } from '../agent/agent-event.js';
import type { AguiEvent } from '../protocol/agui-event.js';

/** The shared state as the client holds it, so that changes can be told against it (AG-UI: "State"). */
export class SharedState {
  private held: unknown;

  /** @param initial the run input's state; absent means an empty object. */
  constructor(initial: unknown) {
    this.held = asJson(initial ?? {});
  }

  /** The event that brings the client to the new state; undefined if a patch would be empty. */
  update(
    state: unknown,
    mode: StateUpdateMode = 'SNAPSHOT',
  ): AguiEvent | undefined {
    const before = this.held;
    this.held = asJson(state);
    if (mode === 'SNAPSHOT')
      return { type: EventType.STATE_SNAPSHOT, snapshot: this.held };
    const delta = patchOf(before, this.held);
    return delta.length === 0
      ? undefined
      : { type: EventType.STATE_DELTA, delta };
  }
}

/** The RFC 6902 patch from one value to another. */
function patchOf(before: unknown, after: unknown): JsonPatch {
  if (
    !isContainer(before) ||
    !isContainer(after) ||
    Array.isArray(before) !== Array.isArray(after)
  )
    return before === after ? [] : [{ op: 'replace', path: '', value: after }];
  return jsonPatch.compare(before, after) as JsonPatch;
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** A copy as the client will have it: what JSON cannot say is not there. */
function asJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value) ?? 'null');
}
