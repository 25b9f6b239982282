import { randomUUID } from 'node:crypto';
import type { RunAgentInput } from '@ag-ui/core';
import {
  HttpException,
  Injectable,
  Logger,
  NotFoundException,
  ServiceUnavailableException,
} from '@nestjs/common';
import { HttpAdapterHost, ModuleRef } from '@nestjs/core';
import type { AguiRun } from '../adapter/agui-run.js';
import { AguiAgentRegistry } from '../agent/agui-agent.registry.js';
import type { AgentSelection } from '../agent/agui-agent.resolver.js';
import { RuntimeContext } from '../agent/runtime-context.js';
import { AguiExtensions } from '../agui-extensions.js';
import { AguiProperties } from '../agui.properties.js';
import { RunScope } from '../extension-ref.js';
import { detailsOf } from '../thrown.js';
import { AguiError, AguiErrorCode } from '../protocol/agui-error.js';
import { ActiveRuns } from '../run/active-runs.js';
import { AguiRequestProcessor } from '../run/agui-request.processor.js';
import { AguiThreads } from '../run/agui-threads.js';
import { UnknownAgentError } from '../run/unknown-agent.error.js';
import { UnknownThreadError } from '../run/unknown-thread.error.js';
import { AguiRuntimeContextRequest } from './agui-runtime-context-request.js';
import { listAgents, type ListedAgent } from './agent-list.js';
import { HttpExchange } from './http-exchange.js';
import { readInput, readThreadRequest } from './input-reader.js';
import { asContext } from './resolved-context.js';
import {
  encoderFor,
  type ConnectDemands,
  type RunDemands,
  type ThreadPath,
} from './route-demands.js';
import { RunDelivery } from './run-delivery.js';

/** What came of a wish to cancel a run. */
export interface CancelledRun {
  threadId: string;
  /** The run that was meant, if one was named. */
  runId?: string;
  /** False if it was over already. */
  cancelled: boolean;
}

/**
 * What the routes do, apart from where they are: used by {@link AguiController} and by controllers
 * derived from it.
 */
@Injectable()
export class AguiEndpoint {
  private readonly logger = new Logger('AguiModule');

  constructor(
    private readonly moduleRef: ModuleRef,
    private readonly adapterHost: HttpAdapterHost,
    private readonly properties: AguiProperties,
    private readonly registry: AguiAgentRegistry,
    private readonly extensions: AguiExtensions,
    private readonly processor: AguiRequestProcessor,
    private readonly threads: AguiThreads,
    private readonly activeRuns: ActiveRuns,
  ) {}

  /**
   * Runs an agent and streams its events into the response. It returns once the stream is open, so
   * that interceptors have nothing to wrap.
   *
   * @throws HttpException while the run cannot start; afterwards errors are in the stream.
   */
  async run(
    request: unknown,
    response: unknown,
    pathAgentId?: string,
    demands: RunDemands = {},
  ): Promise<void> {
    const { tellInput, interruptOnDisconnect } = demands;
    const exchange = this.exchangeOf(request, response);
    const encoder = await encoderFor(exchange, demands);
    const input = readInput(exchange);
    const selection = this.selectionOf(exchange, pathAgentId);
    const delivery = new RunDelivery(
      exchange,
      encoder,
      interruptOnDisconnect === undefined
        ? this.properties
        : Object.assign(new AguiProperties(), this.properties, {
            interruptOnDisconnect,
          }),
    );
    return this.deliver(delivery, async (signal) =>
      this.processor.process({
        ...selection,
        input,
        tellInput,
        context: await this.contextOf(exchange, selection, input, signal),
        headers: exchange.headers,
        nativeRequest: exchange.nativeRequest,
      }),
    );
  }

  /**
   * Streams a thread as it is, and the run that is active on it.
   *
   * @throws HttpException 404 if there is no such thread of the user's.
   */
  async connect(
    request: unknown,
    response: unknown,
    pathAgentId?: string,
    demands: ConnectDemands = {},
  ): Promise<void> {
    const exchange = this.exchangeOf(request, response);
    const encoder = await encoderFor(exchange, demands);
    const asked = readThreadRequest(exchange);
    if (pathAgentId !== undefined && !this.registry.has(pathAgentId))
      throw new UnknownAgentError(pathAgentId);
    const input = { ...asked, runId: asked.runId || randomUUID() };
    const selection = this.selectionOf(exchange, pathAgentId);
    const delivery = new RunDelivery(
      exchange,
      encoder,
      this.properties,
      'follower',
    );
    try {
      await this.deliver(delivery, async (signal) =>
        this.threads.connect(
          input,
          await this.contextOf(exchange, selection, input, signal),
        ),
      );
    } catch (error) {
      const { emptyIfUnknown = false } = demands;
      if (!emptyIfUnknown || !(error instanceof UnknownThreadError))
        throw error;
      delivery.deliverNothing();
    }
  }

  /**
   * Cancels a thread's run; one that is over already is left as it is.
   *
   * @param path what the route's path says, if not the body does.
   * @throws HttpException 404 if there is no such thread, or run, of the user's.
   */
  async cancel(
    request: unknown,
    response: unknown,
    path: ThreadPath = {},
  ): Promise<CancelledRun> {
    const exchange = this.exchangeOf(request, response);
    const input = readThreadRequest(exchange, path.threadId);
    const { threadId, runId } = input;
    const context = await this.contextOf(
      exchange,
      this.selectionOf(exchange, path.agentId),
      input,
      new AbortController().signal,
    );
    const cancelled = await this.threads.cancel(
      threadId,
      context,
      runId || undefined,
    );
    return { threadId, ...(runId !== '' && { runId }), cancelled };
  }

  /** @throws NotFoundException if agents are not to be reached by their own paths. */
  requirePathRouting(): void {
    if (!this.properties.enablePathRouting) throw new NotFoundException();
  }

  /** The exposed agents and what they say they can do. */
  async list(): Promise<ListedAgent[]> {
    if (!this.properties.listAgents) throw new NotFoundException();
    return listAgents(this.registry);
  }

  /** @throws ServiceUnavailableException when the server closes. */
  private exchangeOf(request: unknown, response: unknown): HttpExchange {
    const exchange = new HttpExchange(request, response);
    if (!this.activeRuns.isClosing) return exchange;
    exchange.closeConnection();
    throw new ServiceUnavailableException('The server is shutting down.');
  }

  private selectionOf(
    exchange: HttpExchange,
    pathAgentId?: string,
  ): AgentSelection {
    const headerAgentId = exchange.header(this.properties.agentIdHeader);
    return { pathAgentId, headerAgentId };
  }

  private async deliver(
    delivery: RunDelivery,
    prepare: (signal: AbortSignal) => Promise<AguiRun>,
  ): Promise<void> {
    this.activeRuns.track(delivery);
    try {
      await delivery.start(prepare);
    } catch (error) {
      throw error instanceof AguiError ? this.refusalOf(error) : error;
    }
  }

  private async contextOf(
    exchange: HttpExchange,
    { pathAgentId, headerAgentId }: AgentSelection,
    input: RunAgentInput,
    signal: AbortSignal,
  ): Promise<RuntimeContext> {
    const request = new AguiRuntimeContextRequest(
      this.adapterHost.httpAdapter.getType(),
      pathAgentId,
      headerAgentId,
      exchange.headers,
      exchange.query,
      exchange.nativeRequest,
      input,
    );
    const scope = RunScope.of(this.moduleRef, exchange.nativeRequest);
    const resolvers = await this.extensions.resolve(
      'context-resolver',
      scope.id,
    );
    let context = new RuntimeContext({ signal }).put(
      AguiRuntimeContextRequest,
      request,
    );
    for (const resolver of resolvers)
      context = context.merge(
        asContext(await resolver.resolve(request), resolver),
      );
    return context;
  }

  /** There is no stream yet that could say it. */
  private refusalOf(error: AguiError): HttpException {
    const { code, message } = error;
    const statusCode = code === AguiErrorCode.INVALID_INPUT_ERROR ? 400 : 500;
    if (statusCode === 500)
      this.logger.error('A run could not start.', detailsOf(error));
    return new HttpException({ statusCode, message, code }, statusCode, {
      cause: error,
    });
  }
}
