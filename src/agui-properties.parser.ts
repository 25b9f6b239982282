import { inspect } from 'node:util';
import { plainToInstance } from 'class-transformer';
import { validateSync, type ValidationError } from 'class-validator';
import { SubagentEvents } from './adapter/agui-adapter-config.js';
import { AguiProperties } from './agui.properties.js';

/** Configuration that cannot be used; it stops the application's start. */
export class AguiConfigurationError extends Error {
  override readonly name = 'AguiConfigurationError';

  constructor(problems: readonly string[]) {
    super(`AguiModule is configured wrongly:\n- ${problems.join('\n- ')}`);
  }
}

/** The names of all properties, as code has them. */
export const PROPERTY_NAMES: readonly string[] = Object.keys(
  new AguiProperties(),
);

/**
 * Fills in the defaults and checks the values.
 *
 * @param sources later ones win.
 * @throws AguiConfigurationError naming each wrong key, its value and what is allowed.
 */
export function resolveProperties(
  ...sources: readonly object[]
): AguiProperties {
  const given = sources
    .flatMap((source) => Object.entries(source))
    .filter(([, value]) => value !== undefined);
  const merged: Record<string, unknown> = Object.fromEntries([
    ...Object.entries(new AguiProperties()),
    ...given,
  ]);
  const unknown = Object.keys(merged).filter(
    (name) => !PROPERTY_NAMES.includes(name),
  );
  const properties = plainToInstance(AguiProperties, merged);
  if (
    properties.emitSubagentEventsAsNative === true &&
    given.every(([name]) => name !== 'subagentEvents')
  )
    properties.subagentEvents = SubagentEvents.NATIVE;
  const problems = [
    ...unknown.map(
      (name) =>
        `"${name}" is no option. The options are ${PROPERTY_NAMES.join(', ')}.`,
    ),
    ...validateSync(properties).map((error) => problemOf(error, merged)),
  ];
  if (problems.length > 0) throw new AguiConfigurationError(problems);
  return properties;
}

function problemOf(
  { property, constraints }: ValidationError,
  given: Record<string, unknown>,
): string {
  const allowed = Object.values(constraints ?? {})[0];
  return `"${property}" (${kebabOf(property)} in YAML, ${environmentNameOf(property)} in the environment) is ${inspect(given[property])}; allowed: ${allowed}.`;
}

/** `pathPrefix` → `path-prefix`. */
export function kebabOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** `path-prefix` → `pathPrefix`. */
export function camelOf(name: string): string {
  return name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** `pathPrefix` → `AGUI_PATH_PREFIX`. */
export function environmentNameOf(name: string): string {
  return `AGUI_${kebabOf(name).replaceAll('-', '_').toUpperCase()}`;
}
