import type { MeantRequest } from '../http/http-edge.js';

/** The methods of CopilotKit's single route, as the routes of its several ones. */
const ROUTES: ReadonlyMap<
  unknown,
  Pick<MeantRequest, 'method' | 'route'>
> = new Map([
  ['info', { method: 'GET', route: '/info' }],
  ['agent/run', { method: 'POST', route: '/agent/:agentId/run' }],
  ['agent/connect', { method: 'POST', route: '/agent/:agentId/connect' }],
  ['agent/stop', { method: 'POST', route: '/agent/:agentId/stop/:threadId' }],
]);

/**
 * The request that an envelope `{ method, params?, body? }` of CopilotKit's single route means;
 * undefined if there is no such method or a parameter is missing.
 */
export function meantBy(envelope: unknown): MeantRequest | undefined {
  const { method, params, body } = (envelope ?? {}) as Record<string, unknown>;
  const route = ROUTES.get(method);
  if (route === undefined) return undefined;
  const given = (params ?? {}) as Record<string, unknown>;
  const names = [...route.route.matchAll(/:(\w+)/g)].map(([, name]) => name!);
  const asked = names.map((name) => [name, given[name]] as const);
  if (!asked.every(isPathSegment)) return undefined;
  return { ...route, params: Object.fromEntries(asked), body };
}

/** Why {@link meantBy} makes nothing of an envelope. */
export function problemOf(envelope: unknown): string {
  const { method } = (envelope ?? {}) as Record<string, unknown>;
  return ROUTES.has(method)
    ? `"params" does not say what "${String(method)}" is about.`
    : `"method" must be one of ${[...ROUTES.keys()].join(', ')}.`;
}

/** Half a surrogate pair, which JSON can spell, cannot stand in a URL. */
function isPathSegment(
  entry: readonly [string, unknown],
): entry is readonly [string, string] {
  const [, value] = entry;
  return (
    typeof value === 'string' && value.trim() !== '' && !/\p{Cs}/u.test(value)
  );
}
