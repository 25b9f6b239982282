import {
  Controller,
  HttpCode,
  Inject,
  NotFoundException,
  Post,
  Req,
  Res,
  UseGuards,
  type Type,
} from '@nestjs/common';
import { AguiEndpoint } from '../http/agui.endpoint.js';
import { DocumentedAs } from '../http/documented-as.decorator.js';
import { RouteGuards } from '../http/route-guards.js';
import { ZeroCodeAgent } from './zero-code-agent.js';

/** The controller of one `AiSdkAgentModule`, at a path of its own. */
export function controllerAt(path: string): Type {
  @Controller(path)
  @UseGuards(RouteGuards)
  class AiSdkAgentController {
    constructor(
      @Inject(AguiEndpoint) private readonly endpoint: AguiEndpoint,
      @Inject(ZeroCodeAgent) private readonly agent: ZeroCodeAgent,
    ) {}

    @Post()
    @DocumentedAs('run')
    @HttpCode(200)
    async run(
      @Req() request: unknown,
      @Res() response: unknown,
    ): Promise<void> {
      if (this.agent.id === undefined) throw new NotFoundException();
      return this.endpoint.run(request, response, this.agent.id);
    }
  }
  return AiSdkAgentController;
}
