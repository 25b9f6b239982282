import { inspect } from 'node:util';
import { aguiConfig, readConfiguration } from './agui.config.js';
import {
  DECLARED_ONLY,
  type AguiModuleOptions,
} from './agui.module-definition.js';
import { misshapenIn } from './agui-features.js';
import type { AguiProperties } from './agui.properties.js';
import {
  AguiConfigurationError,
  resolveProperties,
} from './agui-properties.parser.js';
import type { GuardSource } from './http/agui-guards.js';

/**
 * The module's properties, from its options and from outside the code.
 *
 * @throws AguiConfigurationError
 */
export function propertiesOf(options: AguiModuleOptions): AguiProperties {
  // A factory that forgot to return must not start a module without its guards.
  if (typeof options !== 'object' || options === null)
    throw new AguiConfigurationError([
      `The options are ${inspect(options)}; whatever gives them must return an object.`,
    ]);
  const {
    agents: _agents,
    converters: _converters,
    enrichers: _enrichers,
    contextResolvers: _contextResolvers,
    adapterFactory: _adapterFactory,
    runObservers: _runObservers,
    registryCustomizers: _registryCustomizers,
    guards: _guards,
    threadStore: _threadStore,
    configFile,
    ...given
  } = options;
  const late = DECLARED_ONLY.filter(
    (name) => (given as Record<string, unknown>)[name] !== undefined,
  );
  if (late.length > 0)
    throw new AguiConfigurationError(
      late.map(
        (name) =>
          `"${name}" must be known when the module is declared: give it beside useFactory.`,
      ),
    );
  const misshapen = [...misshapenIn(options), ...misshapenStore(options)];
  if (misshapen.length > 0) throw new AguiConfigurationError(misshapen);
  return resolveProperties(
    configFile === undefined ? aguiConfig() : readConfiguration(configFile),
    given,
  );
}

/**
 * The guards that were declared, then those of the options.
 *
 * @throws AguiConfigurationError for what is no guard.
 */
export function guardsOf(
  declared: readonly GuardSource[],
  options: AguiModuleOptions | undefined,
): GuardSource[] {
  const lists = [declared, options?.guards ?? []];
  const misshapen = lists.find((list) => !Array.isArray(list));
  if (misshapen !== undefined)
    throw new AguiConfigurationError([
      `"guards" is ${inspect(misshapen)}; allowed: a list of guards.`,
    ]);
  const guards = lists.flat();
  const wrong = guards.filter((guard) => !isGuard(guard));
  if (wrong.length > 0)
    throw new AguiConfigurationError([
      `"guards" contains ${inspect(wrong[0])}; allowed: classes of guards, or guards.`,
    ]);
  return guards;
}

function misshapenStore({ threadStore }: AguiModuleOptions): string[] {
  const methods = ['begin', 'read', 'cancel'] as const;
  return (threadStore ?? undefined) === undefined ||
    methods.every((name) => typeof threadStore?.[name] === 'function')
    ? []
    : [
        `"threadStore" is ${inspect(threadStore)}; allowed: a ThreadStore, such as RedisThreadStore.`,
      ];
}

function isGuard(source: GuardSource | null | undefined): boolean {
  return (
    typeof source === 'function' || typeof source?.canActivate === 'function'
  );
}
