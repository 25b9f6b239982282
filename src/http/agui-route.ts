/** What a route of this package does. */
export type AguiRoute = 'run' | 'connect' | 'cancel' | 'agents';

/** The member of an OpenAPI operation that says which {@link AguiRoute} it is. */
export const AGUI_ROUTE_EXTENSION = 'x-agui-route';
