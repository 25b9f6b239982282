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
import { DocumentedAs, markRoute, routeOf } from './documented-as.decorator.js';

/**
 * The routes of one `AguiModule`, below its path prefix. Derive from it to put guards or other
 * decorators on the routes, and give the class to `AguiModule.forRoot({ controller })`.
 */
export class AguiController {
  constructor(@Inject(AguiEndpoint) private readonly endpoint: AguiEndpoint) {}

  @Post('run')
  @DocumentedAs('run')
  @HttpCode(200)
  run(@Req() request: unknown, @Res() response: unknown): Promise<void> {
    return this.endpoint.run(request, response);
  }

  @Post('run/:agentId')
  @DocumentedAs('run')
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
  @DocumentedAs('connect')
  @HttpCode(200)
  connect(@Req() request: unknown, @Res() response: unknown): Promise<void> {
    return this.endpoint.connect(request, response);
  }

  @Post('connect/:agentId')
  @DocumentedAs('connect')
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
  @DocumentedAs('cancel')
  @HttpCode(200)
  cancel(
    @Req() request: unknown,
    @Res({ passthrough: true }) response: unknown,
  ): Promise<CancelledRun> {
    return this.endpoint.cancel(request, response);
  }

  @Get('agents')
  @DocumentedAs('agents')
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
  // Logs and OpenAPI documents show the name that the application knows.
  Object.defineProperty(RegisteredAguiController, 'name', { value: base.name });
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
  documentOverrides(base);
  return RegisteredAguiController;
}

/** A method that a derived controller overrides is still what it was. */
function documentOverrides({ prototype }: Type<AguiController>): void {
  for (const name of Object.getOwnPropertyNames(AguiController.prototype)) {
    const key = name as keyof AguiController;
    const route = routeOf(AguiController.prototype[key]);
    if (route !== undefined) markRoute(prototype[key], route);
  }
}
