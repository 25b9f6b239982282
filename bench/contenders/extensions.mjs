// What applications add: a context resolver, a custom converter and two enrichers.
import {
  AgentEventConverter,
  AguiEventEnricher,
  AguiRuntimeContextResolver,
  Order,
} from '../dist/index.js';
import { decorate } from './decorate.mjs';

class TenantResolver {
  resolve(request) {
    return { tenantId: request.firstHeader('X-Tenant-Id') ?? 'public' };
  }
}
decorate(TenantResolver, AguiRuntimeContextResolver());

class ProgressConverter {
  convert({ name, value }, context) {
    context.emit({ type: 'CUSTOM', name: `app.${name}`, value });
  }
}
decorate(ProgressConverter, AgentEventConverter('CUSTOM'));

/** Writes the tenant on the events that begin and end a run, like the sample application's. */
class TenantEnricher {
  enrich(_source, events, context) {
    const tenant = context.runtimeContext.get('tenantId');
    return events.map((event) =>
      event.type === 'RUN_STARTED' || event.type === 'RUN_FINISHED'
        ? { ...event, metadata: { ...event.metadata, tenant } }
        : event,
    );
  }
}
decorate(TenantEnricher, AguiEventEnricher(), Order(10));

/** Counts what a run says. */
class MeteringEnricher {
  enrich(_source, events, { attributes }) {
    for (const { delta } of events)
      if (delta !== undefined)
        attributes.set(
          'characters',
          (attributes.get('characters') ?? 0) + delta.length,
        );
    return events;
  }
}
decorate(MeteringEnricher, AguiEventEnricher(), Order(20));

export const EXTENSIONS = [
  TenantResolver,
  ProgressConverter,
  TenantEnricher,
  MeteringEnricher,
];
