import { EventType } from '@ag-ui/core';
import { Injectable } from '@nestjs/common';
import {
  AguiEventEnricher,
  Order,
  type AgentEvent,
  type AguiEvent,
  type AguiStreamContext,
} from 'nestjs-agui';

/** Writes the tenant and the time on the events that begin and end a run. */
@Injectable()
@AguiEventEnricher()
@Order(10)
export class TenantEnricher implements AguiEventEnricher {
  enrich(
    _source: AgentEvent | null,
    events: AguiEvent[],
    context: AguiStreamContext,
  ): AguiEvent[] {
    const tenant = context.runtimeContext.get<string>('tenantId');
    return events.map((event) =>
      event.type === EventType.RUN_STARTED ||
      event.type === EventType.RUN_FINISHED
        ? {
            ...event,
            timestamp: Date.now(),
            metadata: { ...event.metadata, 'sample.tenant': tenant },
          }
        : event,
    );
  }
}
