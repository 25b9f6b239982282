import type { ExecutionContext, Type } from '@nestjs/common';

/** A platform's request, as a guard sees it. */
export interface GuardedRequest {
  headers: Readonly<Record<string, string | string[] | undefined>>;
  params?: { agentId?: string };
  /** Not checked yet. */
  body?: unknown;
}

const REQUESTED_AGENT = 'AGUI:requested-agent';

/** Says, for guards, which agent a request to a controller's routes asks for. */
export function describeRequestedAgent(
  controller: Type,
  idOf: (request: GuardedRequest) => string,
): void {
  Reflect.defineMetadata(REQUESTED_AGENT, idOf, controller);
}

/**
 * The id of the agent that a request asks for, wherever it names it: in the path, in the header, in
 * `forwardedProps`, or nowhere, which means the default agent. For guards that decide by agent, also
 * those of the whole application; undefined on routes that are not this module's.
 *
 * @example
 * ```ts
 * canActivate(context: ExecutionContext): boolean {
 *   return requestedAgentId(context) !== 'admin' || isAdmin(context);
 * }
 * ```
 */
export function requestedAgentId(
  context: Pick<ExecutionContext, 'getClass' | 'switchToHttp'>,
): string | undefined {
  const idOf = Reflect.getMetadata(REQUESTED_AGENT, context.getClass()) as
    ((request: GuardedRequest) => string) | undefined;
  return idOf?.(context.switchToHttp().getRequest<GuardedRequest>());
}
