import { EventType } from '@ag-ui/core';
import { EventSchemas } from '@ag-ui/core/schemas';
import {
  enforceEvents,
  transformChunks,
  verifyEvents,
  type BaseEvent,
} from '@ag-ui/client';
import {
  EventSchemas as LegacyEventSchemas,
  verifyEvents as verifyLegacyEvents,
} from 'agui-client-0.0.59';
import { from, type Observable } from 'rxjs';
import { vi } from 'vitest';
import type { AguiEvent } from './agui-event.js';
import { SseEncoder } from './event-encoder.js';

type Stage = (events: Observable<BaseEvent>) => Observable<BaseEvent>;

/** The events as a client reads them from the wire. */
export function received(events: readonly AguiEvent[]): AguiEvent[] {
  const encoder = new SseEncoder();
  return events.map(
    (event) =>
      JSON.parse(encoder.encode(event).slice('data: '.length)) as AguiEvent,
  );
}

/** What `@ag-ui/client` 1.0.0 has against a stream: what it refuses, drops, cuts, or warns of. */
export function objectionsOf10(events: readonly AguiEvent[]): string[] {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const objections = [
    ...events.flatMap((event) => faultsOf(EventSchemas.safeParse(event))),
    ...through(enforceEvents() as unknown as Stage, events),
    ...through(verifyEvents() as unknown as Stage, events),
    ...warn.mock.calls.map(String),
  ];
  warn.mockRestore();
  return objections;
}

/** A run with its chunks as `@ag-ui/client` 1.0.0 spells them out. */
export function expandedBy10(events: readonly AguiEvent[]): AguiEvent[] {
  const expanded: AguiEvent[] = [];
  (transformChunks() as unknown as Stage)(
    from(events as unknown as BaseEvent[]),
  ).subscribe((event) => expanded.push(event as unknown as AguiEvent));
  return expanded;
}

/** What `@ag-ui/client` 0.0.59, or one of the last before it, has against a stream. */
export function objectionsOf0059(events: readonly AguiEvent[]): string[] {
  return [
    ...events.flatMap((event) => faultsOf(LegacyEventSchemas.safeParse(event))),
    ...through(verifyLegacyEvents() as unknown as Stage, events),
    ...events.filter(isNewerThan0058).map(({ type }) => `newer: ${type}`),
  ];
}

function isNewerThan0058(event: AguiEvent): boolean {
  if (event.type !== EventType.RUN_FINISHED)
    return event.type.startsWith('SUBAGENT_');
  return (
    event.outcome?.type === 'cancelled' ||
    (event.outcome?.type === 'success' && 'pendingToolCallIds' in event.outcome)
  );
}

function faultsOf(parsed: { success: boolean; error?: Error }): string[] {
  return parsed.success ? [] : [String(parsed.error)];
}

function through(stage: Stage, events: readonly AguiEvent[]): string[] {
  const objections: string[] = [];
  let passed = 0;
  stage(from(events as unknown as BaseEvent[])).subscribe({
    next: () => void passed++,
    error: (error: unknown) => void objections.push(String(error)),
  });
  if (objections.length === 0 && passed < events.length)
    objections.push(`dropped ${events.length - passed} events`);
  return objections;
}
