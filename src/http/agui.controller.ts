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
  type ControllerOptions,
  type Type,
} from '@nestjs/common';
import { AguiEndpoint, type ListedAgent } from './agui.endpoint.js';
import { AguiGuards } from './agui-guards.js';

/**
 * The routes of one `AguiModule`, below its path prefix. Derive from it to put guards or other
 * decorators on the routes, and give the class to `AguiModule.forRoot({ controller })`.
 */
export class AguiController {
  constructor(@Inject(AguiEndpoint) private readonly endpoint: AguiEndpoint) {}

  @Post('run')
  @HttpCode(200)
  @UseGuards(AguiGuards)
  run(@Req() request: unknown, @Res() response: unknown): Promise<void> {
    return this.endpoint.run(request, response);
  }

  @Post('run/:agentId')
  @HttpCode(200)
  @UseGuards(AguiGuards)
  runAgent(
    @Req() request: unknown,
    @Res() response: unknown,
    @Param('agentId') agentId: string,
  ): Promise<void> {
    return this.endpoint.run(request, response, agentId);
  }

  @Get('agents')
  @UseGuards(AguiGuards)
  agents(): Promise<ListedAgent[]> {
    return this.endpoint.list();
  }
}

/** The controller class of one registration: its path and its decorators are its own. */
export function controllerFor(
  base: Type<AguiController>,
  decorators: readonly ClassDecorator[],
  version: ControllerOptions['version'],
): Type<AguiController> {
  class RegisteredAguiController extends base {}
  Controller({ version })(RegisteredAguiController);
  for (const decorate of [...decorators].reverse())
    decorate(RegisteredAguiController);
  return RegisteredAguiController;
}
