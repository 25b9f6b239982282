import type { RuntimeContext } from '../agent/runtime-context.js';
import { markExtension } from '../extension.decorator.js';
import type { AguiRuntimeContextRequest } from './agui-runtime-context-request.js';

/** What a resolver may return: a context, or the values to put into one; `userId` is the user's id. */
export type ResolvedContext =
  RuntimeContext | Readonly<Record<string, unknown>> | undefined | void;

/**
 * Puts what a request knows (user, tenant, trace id) into the run's context (AgentScope: "Spring Boot
 * Integration"). Several resolvers run in `@Order`; a later value wins. An `HttpException` refuses
 * the run with its status.
 */
export interface AguiRuntimeContextResolver {
  resolve(
    request: AguiRuntimeContextRequest,
  ): ResolvedContext | Promise<ResolvedContext>;
}

/** Marks a provider as an {@link AguiRuntimeContextResolver}. */
export const AguiRuntimeContextResolver = (): ClassDecorator =>
  markExtension('context-resolver');
