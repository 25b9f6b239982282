import { EventType, type JsonPatch } from '@ag-ui/core';
import jsonPatch, { type Operation } from 'fast-json-patch';
import type { AguiEvent } from './agui-event.js';
import { jsonText } from './json-text.js';

/** The shared state as a client holds it (AG-UI: "State"): what it sent, and what the events of runs made of it. */
export class HeldState {
  /** Undefined while it is not known. */
  private held: { state: unknown } | undefined;
  /** Patches that came since; most runs never ask what came of them. */
  private readonly patches: JsonPatch[] = [];

  /** @param initial the run input's state; without one, what the client holds is not known. */
  constructor(initial: unknown) {
    if (initial !== undefined && initial !== null)
      this.held = { state: asJson(initial) };
  }

  /** Takes note of an event that left, whoever made it; only then does the client hold it. */
  apply(event: AguiEvent): void {
    if (event.type === EventType.STATE_SNAPSHOT) {
      this.held = { state: asJson(event.snapshot) };
      this.patches.length = 0;
    } else if (event.type === EventType.STATE_DELTA)
      this.patches.push(asJson(event.delta) as JsonPatch);
  }

  current(): { state: unknown } | undefined {
    for (const patch of this.patches.splice(0))
      this.held &&= { state: patched(this.held.state, patch) };
    return this.held;
  }
}

/** A document after a patch; clients leave out the whole of a patch that does not fit. */
export function patched<T>(document: T, patch: JsonPatch): T {
  try {
    return jsonPatch.applyPatch(document, patch as Operation[], true, false)
      .newDocument;
  } catch {
    return document;
  }
}

/** A copy as clients will have it: what JSON cannot say is not there. */
export function asJson(value: unknown): unknown {
  return JSON.parse(jsonText(value) || 'null');
}
