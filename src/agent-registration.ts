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
import type { Exploration } from './agui.explorer.js';
import type {
  AgentDefinition,
  AgentSource,
  AguiFeatureOptions,
} from './agui-features.js';
import { classRef, RunScope, type ExtensionRef } from './extension-ref.js';
import { InvalidExtensionError } from './invalid-extension.error.js';

const logger = new Logger('AguiModule');

/** Registers the agents that `forRoot` or `forFeature` names. */
export async function registerNamed(
  registry: AguiAgentRegistry,
  { agents = {} }: AguiFeatureOptions,
  moduleRef: ModuleRef,
): Promise<void> {
  for (const [id, given] of Object.entries(agents)) {
    const { agent, exposed } = definitionOf(given);
    if (isAnyAgent(agent)) registry.register(id, agent, { exposed });
    else if (isAgentClass(agent)) {
      const ref = await classRef(agent, moduleRef);
      if (ref.instance !== undefined)
        registry.register(id, ref.instance, { exposed });
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

/** Registers the agents that were found among the application's providers. */
export function registerFound(
  registry: AguiAgentRegistry,
  { extensions, undecoratedAgents }: Exploration,
): void {
  for (const { mark, ref } of extensions) {
    if (mark.kind !== 'agent') continue;
    const { id, exposed } = mark.options as AguiAgentMark;
    const sample = ref.instance ?? (ref.type?.prototype as unknown);
    if (sample !== undefined && !isAnyAgent(sample))
      throw new InvalidExtensionError(
        ref.name,
        `is declared as agent "${id}" but has neither streamEvents() nor run(). Add one, or remove the declaration.`,
      );
    discover(registry, id, ref as ExtensionRef<AnyAgent>, exposed);
  }
  const named = new Set(registry.ids().map((id) => registry.get(id)?.instance));
  for (const ref of undecoratedAgents as ExtensionRef<AnyAgent>[])
    if (ref.instance === undefined || !named.has(ref.instance))
      discover(registry, ref.name, ref, true);
}

function discover(
  registry: AguiAgentRegistry,
  id: string,
  ref: ExtensionRef<AnyAgent>,
  exposed: boolean | undefined,
): void {
  const found: Omit<RegisteredAgent, 'id' | 'exposed'> = {
    instance: ref.instance,
    resolve: ref.instance === undefined ? factoryOf(ref) : () => ref.instance!,
  };
  if (!registry.discover(id, { ...found, exposed }, `provider ${ref.name}`))
    logger.debug(
      `Provider ${ref.name} is not served as agent "${id}": that id was registered by hand.`,
    );
}

/** A new instance for each run, from the run's own scope. */
function factoryOf(ref: Pick<ExtensionRef<AnyAgent>, 'resolve'>): AgentFactory {
  return (context: RuntimeContext) =>
    ref.resolve(context.get(RunScope)?.id ?? ContextIdFactory.create());
}

function definitionOf(given: AgentSource | AgentDefinition): AgentDefinition {
  return typeof given === 'object' && 'agent' in given && !isAnyAgent(given)
    ? given
    : { agent: given as AgentSource };
}

function isAgentClass(source: AgentSource): source is Type<AnyAgent> {
  return typeof source === 'function' && isAnyAgent(source.prototype);
}
