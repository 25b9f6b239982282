import {
  Controller,
  Get,
  HttpCode,
  Inject,
  Param,
  Post,
  Req,
  Res,
  UseGuards,
  type Type,
} from '@nestjs/common';
import { RouteGuards } from '../http/route-guards.js';
import { CopilotKitEndpoint, type StoppedRun } from './copilotkit.endpoint.js';
import type { CopilotKitRuntimeInfo } from './runtime-info.js';

/** Where `@ApiExcludeController()` of `@nestjs/swagger`, which need not be installed, leaves what it is given. */
const API_EXCLUDE_CONTROLLER = 'swagger/apiExcludeController';

/**
 * The controller of one `CopilotKitModule`. Its methods have the names of those `AguiController`'s
 * whose guards they ask. They are for CopilotKit's own clients, so no OpenAPI document has them.
 */
export function copilotKitController(): Type {
  @Controller()
  @UseGuards(RouteGuards)
  class CopilotKitController {
    constructor(
      @Inject(CopilotKitEndpoint)
      private readonly endpoint: CopilotKitEndpoint,
    ) {}

    @Get('info')
    agents(): Promise<CopilotKitRuntimeInfo> {
      return this.endpoint.info();
    }

    @Post('agent/:agentId/run')
    @HttpCode(200)
    runAgent(
      @Req() request: unknown,
      @Res() response: unknown,
      @Param('agentId') agentId: string,
    ): Promise<void> {
      return this.endpoint.run(request, response, agentId);
    }

    @Post('agent/:agentId/connect')
    @HttpCode(200)
    connectAgent(
      @Req() request: unknown,
      @Res() response: unknown,
      @Param('agentId') agentId: string,
    ): Promise<void> {
      return this.endpoint.connect(request, response, agentId);
    }

    @Post('agent/:agentId/stop/:threadId')
    @HttpCode(200)
    cancel(
      @Req() request: unknown,
      @Res({ passthrough: true }) response: unknown,
      @Param('agentId') agentId: string,
      @Param('threadId') threadId: string,
    ): Promise<StoppedRun> {
      return this.endpoint.stop(request, response, agentId, threadId);
    }

    /** The single route: what means another one has gone there already. */
    @Post()
    refuse(
      @Req() request: unknown,
      @Res({ passthrough: true }) response: unknown,
    ): Promise<never> {
      return this.endpoint.refuse(request, response);
    }
  }
  Reflect.defineMetadata(API_EXCLUDE_CONTROLLER, [true], CopilotKitController);
  return CopilotKitController;
}
