import { EventType, type JsonPatch } from '@ag-ui/core';
import jsonPatch, { type Operation } from 'fast-json-patch';
import type { StateUpdateMode } from '../agent/agent-event.js';
import type { AguiEvent } from '../protocol/agui-event.js';
import { jsonText } from '../protocol/json-text.js';

/** Paths that JSON Patch libraries refuse, because they may lead into a prototype. */
const REFUSED_PATH = /\/(__proto__|constructor\/prototype)(\/|$)/;

/** The shared state as the client holds it, so that changes can be told against it (AG-UI: "State"). */
export class SharedState {
  /** Undefined while it is not known. */
  private held: { state: unknown } | undefined;
  /** Patches that left since; most runs never ask what came of them. */
  private readonly patches: JsonPatch[] = [];

  /** @param initial the run input's state; without one, what the client holds is not known. */
  constructor(initial: unknown) {
    if (initial !== undefined && initial !== null)
      this.held = { state: asJson(initial) };
  }

  /** The event that brings the client to a new state; undefined if a patch would be empty. */
  eventFor(
    state: unknown,
    mode: StateUpdateMode = 'SNAPSHOT',
  ): AguiEvent | undefined {
    const snapshot = asJson(state);
    const held = mode === 'DELTA' ? this.current() : undefined;
    const delta = held && patchOf(held.state, snapshot);
    if (delta === undefined)
      return { type: EventType.STATE_SNAPSHOT, snapshot };
    return delta.length === 0
      ? undefined
      : { type: EventType.STATE_DELTA, delta };
  }

  /** Takes note of an event that left, whoever made it; only then does the client hold it. */
  sent(event: AguiEvent): void {
    if (event.type === EventType.STATE_SNAPSHOT) {
      this.held = { state: asJson(event.snapshot) };
      this.patches.length = 0;
    } else if (event.type === EventType.STATE_DELTA)
      this.patches.push(asJson(event.delta) as JsonPatch);
  }

  private current(): { state: unknown } | undefined {
    for (const patch of this.patches.splice(0))
      this.held &&= { state: patched(this.held.state, patch) };
    return this.held;
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

/** The state after a patch; clients leave out the whole of a patch that does not fit. */
function patched(state: unknown, patch: JsonPatch): unknown {
  try {
    return jsonPatch.applyPatch(state, patch as Operation[], true, false)
      .newDocument;
  } catch {
    return state;
  }
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** A copy as the client will have it: what JSON cannot say is not there. */
function asJson(value: unknown): unknown {
  return JSON.parse(jsonText(value) || 'null');
}
