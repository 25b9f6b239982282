import { Logger, type Type } from '@nestjs/common';
import { ContextIdFactory, type ModuleRef } from '@nestjs/core';
import { isAnyAgent, type AnyAgent } from './agent/agent.js';
import type { AguiAgentMark } from './agent/agui-agent.decorator.js';
import type {
  AgentFactory,
  AguiAgentRegistry,
  RegisteredAgent,
} from './agent/agui-agent.registry.js';
import type { RuntimeContext } from './agent/runtime-context.js';
import type { Exploration, FoundExtension } from './agui.explorer.js';
import type {
  AgentDefinition,
  AgentSource,
  AguiFeatureOptions,
} from './agui-features.js';
import {
  classRef,
  identityOf,
  isKnownNot,
  RunScope,
  type ExtensionRef,
} from './extension-ref.js';
import { InvalidExtensionError } from './invalid-extension.error.js';

const logger = new Logger('AguiModule');

/** Registers the agents that `forRoot` or `forFeature` names. */
export async function registerNamed(
  registry: AguiAgentRegistry,
  options: AguiFeatureOptions,
  moduleRef: ModuleRef,
): Promise<void> {
  for (const [id, { agent, exposed }] of definitionsIn(options)) {
    if (isAnyAgent(agent)) registry.register(id, agent, { exposed });
    else if (isClass(agent)) {
      const ref = await classRef(agent, moduleRef);
      if ('instance' in ref) registry.register(id, ref.instance!, { exposed });
      else registry.registerFactory(id, factoryOf(ref), { exposed });
    } else if (typeof agent === 'function')
      registry.registerFactory(id, agent as AgentFactory, { exposed });
    else
      throw new InvalidExtensionError(
        `agents.${id}`,
        'is neither an agent nor a class nor a factory of agents.',
      );
  }
}

/**
 * Registers the agents that were found among the application's providers.
 *
 * @param named what options name; a provider that nobody declared an agent is not served twice.
 */
export function registerFound(
  registry: AguiAgentRegistry,
  { extensions, undecoratedAgents }: Exploration,
  named: readonly AguiFeatureOptions[],
): void {
  const declared = extensions.filter(({ mark }) => mark.kind === 'agent');
  for (const [index, { mark, ref }] of declared.entries()) {
    const { id, exposed } = mark.options as AguiAgentMark;
    const before = declared.slice(0, index);
    if (before.some((other) => isSame(other, { mark, ref }))) continue;
    if (isKnownNot(ref, isAnyAgent))
      throw new InvalidExtensionError(
        ref.name,
        `is declared as agent "${id}" but has neither streamEvents() nor run(). Add one, or remove the declaration.`,
      );
    discover(registry, id, ref as ExtensionRef<AnyAgent>, exposed);
  }
  const served = new Set<unknown>([
    ...registry.ids().map((id) => registry.get(id)?.instance),
    ...named.flatMap(definitionsIn).map(([, { agent }]) => agent),
    ...declared.map(({ ref }) => identityOf(ref)),
  ]);
  for (const { id, ref } of undecoratedAgents) {
    const identity = identityOf(ref);
    if (served.has(identity)) continue;
    served.add(identity);
    if (discover(registry, id, ref as ExtensionRef<AnyAgent>, true))
      logger.log(
        `Provider ${ref.name} has no @AguiAgent but is an agent: it is served as "${id}".`,
      );
  }
}

/** One agent under one id, though its provider has several tokens. */
function isSame(one: FoundExtension, other: FoundExtension): boolean {
  const identity = identityOf(one.ref);
  const idOf = ({ mark }: FoundExtension) => (mark.options as AguiAgentMark).id;
  return (
    identity !== undefined &&
    identity === identityOf(other.ref) &&
    idOf(one) === idOf(other)
  );
}

function discover(
  registry: AguiAgentRegistry,
  id: string,
  ref: ExtensionRef<AnyAgent>,
  exposed: boolean | undefined,
): boolean {
  const { instance } = ref;
  const found: Omit<RegisteredAgent, 'id' | 'exposed'> = {
    instance,
    resolve: instance === undefined ? factoryOf(ref) : () => instance,
  };
  const where = `provider ${ref.name}`;
  if (registry.discover(id, { ...found, exposed }, where)) return true;
  logger.debug(
    `Provider ${ref.name} is not served as agent "${id}": that id was registered by hand.`,
  );
  return false;
}

/** A new instance for each run, from the run's own scope. */
function factoryOf(ref: Pick<ExtensionRef<AnyAgent>, 'resolve'>): AgentFactory {
  return (context: RuntimeContext) =>
    ref.resolve(context.get(RunScope)?.id ?? ContextIdFactory.create());
}

function definitionsIn({
  agents = {},
}: AguiFeatureOptions): [id: string, AgentDefinition][] {
  return Object.entries(agents).map(([id, given]) => [id, definitionOf(given)]);
}

function definitionOf(given: AgentSource | AgentDefinition): AgentDefinition {
  const isDefinition =
    typeof given === 'object' &&
    given !== null &&
    'agent' in given &&
    !isAnyAgent(given);
  return isDefinition ? given : { agent: given as AgentSource };
}

/** By its text, because the methods of a class may be properties that only its instances have. */
function isClass(source: AgentSource): source is Type<AnyAgent> {
  return (
    typeof source === 'function' &&
    (isAnyAgent(source.prototype) || /^class\b/.test(String(source)))
  );
}
