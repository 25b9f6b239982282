import { EventType } from '@ag-ui/core';
import {
  BadRequestException,
  HttpException,
  Inject,
  Injectable,
} from '@nestjs/common';
import { AguiAgentRegistry } from '../agent/agui-agent.registry.js';
import { AguiProperties } from '../agui.properties.js';
import { AguiEndpoint } from '../http/agui.endpoint.js';
import { AguiRoutes } from '../http/agui-routes.js';
import { HttpExchange } from '../http/http-exchange.js';
import { requireJson } from '../http/input-reader.js';
import { AguiErrorCode } from '../protocol/agui-error.js';
import type { AguiEvent } from '../protocol/agui-event.js';
import { UnknownAgentError } from '../run/unknown-agent.error.js';
import { UnknownThreadError } from '../run/unknown-thread.error.js';
import {
  COPILOTKIT_OPTIONS,
  type CopilotKitModuleOptions,
} from './copilotkit-module-options.js';
import { refusalOf } from './refusal.js';
import { runtimeInfoOf, type CopilotKitRuntimeInfo } from './runtime-info.js';
import { problemOf } from './single-route.js';

/** What came of the wish to stop a thread's run, as CopilotKit's runtime says it. */
export type StoppedRun =
  { stopped: true } | { stopped: false; message: string };

/** What CopilotKit's routes do: the same as those of `AguiModule`, in the words of CopilotKit's runtime. */
@Injectable()
export class CopilotKitEndpoint {
  constructor(
    private readonly routes: AguiRoutes,
    @Inject(COPILOTKIT_OPTIONS)
    private readonly options: CopilotKitModuleOptions,
  ) {}

  /** The agents that clients may choose. */
  info(): Promise<CopilotKitRuntimeInfo> {
    return runtimeInfoOf(this.registry);
  }

  /** @throws HttpException while the run cannot start. */
  run(request: unknown, response: unknown, agentId: string): Promise<void> {
    const { interruptOnDisconnect = false } = this.options;
    return inItsWords(async () => {
      this.requireAgent(agentId);
      await this.endpoint.run(request, response, agentId, {
        tellInput: true,
        interruptOnDisconnect,
        reword: withoutStopAsFailure,
      });
    });
  }

  /** @throws HttpException if there is no such agent, or the body is bad. */
  connect(request: unknown, response: unknown, agentId: string): Promise<void> {
    return inItsWords(async () => {
      this.requireAgent(agentId);
      await this.endpoint.connect(request, response, agentId, {
        emptyIfUnknown: true,
        reword: withoutStopAsFailure,
      });
    });
  }

  /** @throws HttpException if there is no such agent, or the body is bad. */
  stop(
    request: unknown,
    response: unknown,
    agentId: string,
    threadId: string,
  ): Promise<StoppedRun> {
    return inItsWords(async () => {
      this.requireAgent(agentId);
      const path = { agentId, threadId };
      const stopped = await this.endpoint
        .cancel(request, response, path)
        .then(({ cancelled }) => cancelled, notIfUnknown);
      if (stopped) return { stopped };
      return { stopped, message: `Nothing runs on thread "${threadId}".` };
    });
  }

  /** @throws HttpException saying what is wrong with a request to the single route. */
  refuse(request: unknown, response: unknown): Promise<never> {
    return inItsWords(async () => {
      const exchange = new HttpExchange(request, response);
      requireJson(exchange);
      throw new BadRequestException({
        statusCode: 400,
        message: problemOf(exchange.body),
      });
    });
  }

  /** An agent that may not be chosen is reached by its path, if agents have paths. */
  private requireAgent(agentId: string): void {
    const { enablePathRouting } = this.routes.moduleRef.get(AguiProperties);
    const agent = this.registry.get(agentId);
    if (agent === undefined || !(agent.exposed || enablePathRouting))
      throw new UnknownAgentError(agentId);
  }

  private get endpoint(): AguiEndpoint {
    return this.routes.moduleRef.get(AguiEndpoint);
  }

  private get registry(): AguiAgentRegistry {
    return this.routes.moduleRef.get(AguiAgentRegistry);
  }
}

/** CopilotKit's clients report every error of a run, unless this code says that somebody wanted it so. */
function withoutStopAsFailure(event: AguiEvent): AguiEvent {
  return event.type === EventType.RUN_ERROR &&
    event.code === AguiErrorCode.CANCELLED
    ? { ...event, code: 'abort' }
    : event;
}

async function inItsWords<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw error instanceof HttpException ? refusalOf(error) : error;
  }
}

function notIfUnknown(error: unknown): false {
  if (error instanceof UnknownThreadError) return false;
  throw error;
}
