import type { INestApplicationContext } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import type { OpenAPIObject, OperationObject } from '@nestjs/swagger';
import { AguiProperties } from '../agui.properties.js';
import { AGUI_ROUTE_EXTENSION, type AguiRoute } from '../http/agui-route.js';
import { describeOperation, PROTOCOL_ROOTS } from './operations.js';
import { ownSchemas } from './own-schemas.js';
import { protocolSchemas } from './protocol-schemas.js';

type PathItem = OpenAPIObject['paths'][string];
type Method = 'get' | 'post';

/**
 * Describes this package's routes in a document of `@nestjs/swagger`: what they take, with an example
 * that can be tried out, what they stream, and how they refuse. The schemas are AG-UI's own. What the
 * application says of a route by decorators stays; routes that are switched off are left out.
 *
 * @param document made by `SwaggerModule.createDocument(app, …)`; it is not changed.
 *
 * @example
 * ```ts
 * SwaggerModule.setup('api', app, () =>
 *   documentAgui(app, SwaggerModule.createDocument(app, config)),
 * );
 * ```
 */
export function documentAgui(
  app: INestApplicationContext,
  document: OpenAPIObject,
): OpenAPIObject {
  const given = document.components?.schemas ?? {};
  const nameOf = (name: string) => (name in given ? `Agui${name}` : name);
  const registrations = registrationsOf(app);
  const ids = new Set<string>();
  const paths: OpenAPIObject['paths'] = {};
  let isDescribed = false;
  for (const [path, item] of Object.entries(document.paths)) {
    const described: PathItem = { ...item };
    for (const method of ['get', 'post'] as const) {
      const route = routeOf(item, method);
      if (route === undefined) continue;
      isDescribed = true;
      const properties = registrationAt(path, registrations);
      if (isSwitchedOff(route, path, properties)) delete described[method];
      else
        described[method] = describeOperation(
          withOwnId(item[method]!, ids),
          { route, path, properties },
          nameOf,
        );
    }
    if (Object.keys(described).length > 0) paths[path] = described;
  }
  if (!isDescribed) return document;
  const schemas = {
    ...given,
    ...protocolSchemas(PROTOCOL_ROOTS, targetOf(document), nameOf),
    ...ownSchemas(nameOf),
  } as NonNullable<OpenAPIObject['components']>['schemas'];
  return {
    ...document,
    paths,
    components: { ...document.components, schemas },
  };
}

function routeOf(item: PathItem, method: Method): AguiRoute | undefined {
  const operation = item[method] as Record<string, unknown> | undefined;
  return operation?.[AGUI_ROUTE_EXTENSION] as AguiRoute | undefined;
}

/** Several registrations have one controller's name, and ids must not be the same. */
function withOwnId(
  operation: OperationObject,
  ids: Set<string>,
): OperationObject {
  const { operationId: wished } = operation;
  if (wished === undefined) return operation;
  let operationId = wished;
  for (let n = 2; ids.has(operationId); n++) operationId = `${wished}_${n}`;
  ids.add(operationId);
  return { ...operation, operationId };
}

/** The properties of each `AguiModule`, those with the longest path first. */
function registrationsOf(app: INestApplicationContext): AguiProperties[] {
  return [...app.get(ModulesContainer).values()]
    .map(({ providers }) => providers.get(AguiProperties)?.instance)
    .filter((instance) => instance instanceof AguiProperties)
    .sort((one, other) => other.pathPrefix.length - one.pathPrefix.length);
}

/** Undefined for a route that has a path of its own. */
function registrationAt(
  path: string,
  registrations: readonly AguiProperties[],
): AguiProperties | undefined {
  const base =
    /^(.*)\/(?:(?:run|connect)(?:\/\{agentId\})?|cancel|agents)$/.exec(
      path,
    )?.[1];
  return registrations.find(({ pathPrefix }) => {
    const prefix = pathPrefix.replace(/^\/*(.*?)\/*$/, '$1');
    return prefix === '' || `${base}`.endsWith(`/${prefix}`);
  });
}

function isSwitchedOff(
  route: AguiRoute,
  path: string,
  properties: AguiProperties | undefined,
): boolean {
  if (properties === undefined) return false;
  if (route === 'agents') return !properties.listAgents;
  return path.endsWith('/{agentId}') && !properties.enablePathRouting;
}

function targetOf({ openapi }: OpenAPIObject) {
  return /^3\.0\b/.test(openapi) ? 'openapi-3.0' : 'draft-2020-12';
}
