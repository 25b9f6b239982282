import { EventType } from '@ag-ui/core';
import type { Type } from '@nestjs/common';
import {
  AgentEventConverter,
  AgentEventType,
  AguiAgent,
  AguiAgentAdapter,
  AguiAgentAdapterFactory,
  AguiAgentRegistryCustomizer,
  AguiEventEnricher,
  AguiRunObserver,
  AguiRuntimeContextResolver,
  type Agent,
  type AgentEvent,
  type AguiAdapterConfig,
  type AguiAgentRegistry,
  type AguiEvent,
  type AguiFeatureOptions,
  type AguiRuntimeContextRequest,
  type AguiStreamContext,
  type AnyAgent,
  type ObservedRun,
} from 'nestjs-agui';
import { agentOf, reply, sayer } from './agents.js';
import type { TestApp } from './app.js';
import { run } from './client.js';
import { ask, getJson } from './module-app.js';

/** One kind of extension, with an effect that can be seen from outside. */
export interface Kind {
  name: string;
  /** A label that no other kind has; all have one letter. */
  label: string;
  method: string;
  decorator(label: string): ClassDecorator;
  /** A class without decorator. */
  define(label: string): Type;
  /** The options that name it. */
  named(label: string, given: never): AguiFeatureOptions;
  /** The labels that had an effect, in the order of their effects. */
  seen(app: TestApp): Promise<string[]>;
}

/** Answers `-`, says a CUSTOM event, and shows the trails that context resolvers and run observers left. */
export const witness: Agent = agentOf(async function* (_messages, context) {
  const trail = context.get<string[]>('trail') ?? [];
  const observers = context.get<string[]>('observers') ?? [];
  yield reply.start();
  yield { type: 'CUSTOM', name: 'plain' };
  yield { type: 'STATE_UPDATE', state: { trail, observers } };
  yield reply.text('-');
  yield reply.end();
});

/** The letters behind the dash that witness says; adapter factories' are capitals. */
async function lettersOf(app: TestApp, form: RegExp): Promise<string[]> {
  return String(await ask(app))
    .split('')
    .filter((letter) => form.test(letter));
}

/** What witness has found in its context. */
async function stateOf(app: TestApp) {
  const events = await run(app);
  const { snapshot } = events.find(({ type }) => type === 'STATE_SNAPSHOT')!;
  return snapshot as { trail: string[]; observers: string[] };
}

function append(events: AguiEvent[], label: string): AguiEvent[] {
  return events.map((event) =>
    event.type === 'TEXT_MESSAGE_CONTENT'
      ? { ...event, delta: event.delta + label }
      : event,
  );
}

const enricher: Kind = {
  name: 'enricher',
  label: 'e',
  method: 'enrich',
  decorator: () => AguiEventEnricher(),
  define: (label) =>
    class SomeEnricher implements AguiEventEnricher {
      enrich(_source: AgentEvent | null, events: AguiEvent[]) {
        return append(events, label);
      }
    },
  named: (_label, given) => ({ enrichers: [given] }),
  seen: (app) => lettersOf(app, /[a-z]/),
};

const converter: Kind = {
  name: 'converter',
  label: 'c',
  method: 'convert',
  decorator: () => AgentEventConverter(AgentEventType.CUSTOM),
  define: (label) =>
    class SomeConverter implements AgentEventConverter {
      eventTypes() {
        return [AgentEventType.CUSTOM];
      }

      convert(_event: AgentEvent, context: AguiStreamContext) {
        context.emit({
          type: EventType.CUSTOM,
          name: `by ${label}`,
          value: null,
        });
      }
    },
  named: (_label, given) => ({ converters: [given] }),
  // Of several converters of one type the last one is asked.
  seen: async (app) => {
    const events = await run(app);
    const names = events.map(({ name }) => String(name));
    return [...new Set(names.filter((name) => name.startsWith('by ')))].map(
      (name) => name.slice('by '.length),
    );
  },
};

const contextResolver: Kind = {
  name: 'context resolver',
  label: 'r',
  method: 'resolve',
  decorator: () => AguiRuntimeContextResolver(),
  define: (label) =>
    class SomeResolver implements AguiRuntimeContextResolver {
      resolve({ nativeRequest }: AguiRuntimeContextRequest) {
        const request = nativeRequest as { trail?: string[] };
        request.trail = [...(request.trail ?? []), label];
        return { trail: request.trail };
      }
    },
  named: (_label, given) => ({ contextResolvers: [given] }),
  seen: async (app) => (await stateOf(app)).trail,
};

const runObserver: Kind = {
  name: 'run observer',
  label: 'o',
  method: 'begin',
  decorator: () => AguiRunObserver(),
  define: (label) =>
    class SomeObserver implements AguiRunObserver {
      begin({ context }: ObservedRun) {
        const before = context.get<string[]>('observers') ?? [];
        context.put('observers', [...before, label]);
        return undefined;
      }
    },
  named: (_label, given) => ({ runObservers: [given] }),
  seen: async (app) => (await stateOf(app)).observers,
};

const adapterFactory: Kind = {
  name: 'adapter factory',
  label: 'F',
  method: 'create',
  decorator: () => AguiAgentAdapterFactory(),
  define: (label) =>
    class SomeFactory implements AguiAgentAdapterFactory {
      create(agent: AnyAgent, config: AguiAdapterConfig) {
        const own: AguiEventEnricher = {
          enrich: (_source, events) => append(events, label),
        };
        return new AguiAgentAdapter(agent, {
          ...config,
          enrichers: [...(config.enrichers ?? []), own],
        });
      }
    },
  named: (_label, given) => ({ adapterFactory: given }),
  // The first one is asked, alone.
  seen: (app) => lettersOf(app, /[A-Z]/),
};

const customizer: Kind = {
  name: 'registry customizer',
  label: 'u',
  method: 'customize',
  decorator: () => AguiAgentRegistryCustomizer(),
  define: (label) =>
    class SomeCustomizer implements AguiAgentRegistryCustomizer {
      customize(registry: AguiAgentRegistry) {
        registry.register(label, sayer(`custom ${label}`));
      }
    },
  named: (_label, given) => ({ registryCustomizers: [given] }),
  seen: (app) => agentsOf(app, (said) => said.startsWith('custom ')),
};

const agent: Kind = {
  name: 'agent',
  label: 'a',
  method: 'streamEvents',
  decorator: (label) => AguiAgent(label),
  define: (label) =>
    class SomeAgent implements Agent {
      streamEvents(...args: Parameters<Agent['streamEvents']>) {
        return sayer(`found ${label}`).streamEvents(...args);
      }
    },
  named: (label, given) => ({ agents: { [label]: given } }),
  seen: (app) => agentsOf(app, (said) => said.startsWith('found ')),
};

async function agentsOf(
  app: TestApp,
  matches: (said: string) => boolean,
): Promise<string[]> {
  const { body } = await getJson(app, '/agui/agents');
  const ids = (body as { id: string }[]).map(({ id }) => id);
  const says = async (id: string) =>
    matches(String(await ask(app, { path: `/agui/run/${id}` })));
  const verdicts = await Promise.all(ids.map(says));
  return ids.filter((_id, index) => verdicts[index]);
}

export const KINDS: readonly Kind[] = [
  converter,
  enricher,
  contextResolver,
  adapterFactory,
  runObserver,
  customizer,
  agent,
];

/** A plain object that does what an instance of a class does. */
export function plainOf(kind: Kind, type: Type): object {
  const instance = new type() as Record<string, () => unknown>;
  const bound = (name: string) => ({ [name]: instance[name]!.bind(instance) });
  return {
    ...bound(kind.method),
    ...(instance.eventTypes !== undefined && bound('eventTypes')),
  };
}
