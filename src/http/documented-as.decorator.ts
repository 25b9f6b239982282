import { AGUI_ROUTE_EXTENSION, type AguiRoute } from './agui-route.js';

/** Where `@ApiExtension()` of `@nestjs/swagger`, which need not be installed, leaves what it is given. */
const API_EXTENSION = 'swagger/apiExtension';

/** Says in OpenAPI documents what a route does, so that `nestjs-agui/swagger` can describe it. */
export const DocumentedAs =
  (route: AguiRoute): MethodDecorator =>
  (_prototype, _name, descriptor) =>
    markRoute(descriptor.value as object, route);

/** What {@link DocumentedAs} said of a method. */
export function routeOf(method: object): AguiRoute | undefined {
  return extensionsOf(method)?.[AGUI_ROUTE_EXTENSION] as AguiRoute | undefined;
}

export function markRoute(method: object, route: AguiRoute): void {
  Reflect.defineMetadata(
    API_EXTENSION,
    { ...extensionsOf(method), [AGUI_ROUTE_EXTENSION]: route },
    method,
  );
}

function extensionsOf(method: object): Record<string, unknown> | undefined {
  return Reflect.getMetadata(API_EXTENSION, method) as
    Record<string, unknown> | undefined;
}
