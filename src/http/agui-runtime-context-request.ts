import type { RunAgentInput } from '@ag-ui/core';

/** What a context resolver may look at (AgentScope: "Spring Boot Integration"). */
export class AguiRuntimeContextRequest {
  constructor(
    /** The platform that received the request: `express` or `fastify`. */
    readonly transport: string,
    /** The agent id of the path, if it had one. */
    readonly pathAgentId: string | undefined,
    /** The agent id of the header, if it had one. */
    readonly headerAgentId: string | undefined,
    /** The headers, by lower-case name. */
    readonly headers: Readonly<Record<string, string | string[] | undefined>>,
    /** The query parameters. */
    readonly query: Readonly<Record<string, unknown>>,
    /** The platform's own request, with whatever guards put on it, such as `user`. */
    readonly nativeRequest: unknown,
    /** The input of the run. It is the client's word: never take an identity from it. */
    readonly input: RunAgentInput,
  ) {}

  /** The first value of a header, whatever its case. */
  firstHeader(name: string): string | undefined {
    const value = this.headers[name.toLowerCase()];
    return Array.isArray(value) ? value[0] : value;
  }

  /** The first value of a query parameter. */
  firstQuery(name: string): string | undefined {
    const value = this.query[name];
    const first: unknown = Array.isArray(value) ? value[0] : value;
    return typeof first === 'string' ? first : undefined;
  }
}
