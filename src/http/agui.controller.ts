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
import type { ListedAgent } from './agent-list.js';
import { AguiEndpoint, type CancelledRun } from './agui.endpoint.js';
import { AguiGuards } from './agui-guards.js';

/**
 * The routes of one `AguiModule`, below its path prefix. Derive from it to put guards or other
 * decorators on the routes, and give the class to `AguiModule.forRoot({ controller })`.
 */
export class AguiController {
  constructor(@Inject(AguiEndpoint) private readonly endpoint: AguiEndpoint) {}

  @Post('run')
  @HttpCode(200)
  run(@Req() request: unknown, @Res() response: unknown): Promise<void> {
    return this.endpoint.run(request, response);
  }

  @Post('run/:agentId')
  @HttpCode(200)
  async runAgent(
    @Req() request: unknown,
    @Res() response: unknown,
    @Param('agentId') agentId: string,
  ): Promise<void> {
    this.endpoint.requirePathRouting();
    return this.endpoint.run(request, response, agentId);
  }

  @Post('connect')
  @HttpCode(200)
  connect(@Req() request: unknown, @Res() response: unknown): Promise<void> {
    return this.endpoint.connect(request, response);
  }

  @Post('connect/:agentId')
  @HttpCode(200)
  async connectAgent(
    @Req() request: unknown,
    @Res() response: unknown,
    @Param('agentId') agentId: string,
  ): Promise<void> {
    this.endpoint.requirePathRouting();
    return this.endpoint.connect(request, response, agentId);
  }

  @Post('cancel')
  @HttpCode(200)
  cancel(
    @Req() request: unknown,
    @Res({ passthrough: true }) response: unknown,
  ): Promise<CancelledRun> {
    return this.endpoint.cancel(request, response);
  }

  @Get('agents')
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
  // A derived controller may have a version and a host of its own.
  Controller({
    host: Reflect.getMetadata('host', base) as ControllerOptions['host'],
    version:
      version ??
      (Reflect.getMetadata(
        '__version__',
        base,
      ) as ControllerOptions['version']),
  })(RegisteredAguiController);
  for (const decorate of [...decorators].reverse())
    decorate(RegisteredAguiController);
  // On the class, not on the methods: a derived controller may override those.
  UseGuards(AguiGuards)(RegisteredAguiController);
  return RegisteredAguiController;
}
