import {
  Injectable,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { AguiGuards, GuardRefs, type GuardSource } from './agui-guards.js';
import { AguiRoutes, methodOf } from './agui-routes.js';

const GUARDS = '__guards__';

/**
 * Asks the guards of `AguiModule`'s routes, however they came there: by options, as decorators, or
 * with a controller of the application's. A method asks those of the route of its name.
 */
@Injectable()
export class RouteGuards implements CanActivate {
  private readonly guards = new Map<string, AguiGuards>();

  constructor(private readonly routes: AguiRoutes) {}

  canActivate(context: ExecutionContext): Promise<boolean> {
    const { name } = context.getHandler();
    const guards = this.guards.get(name) ?? this.guardsOf(name);
    this.guards.set(name, guards);
    return guards.canActivate(context);
  }

  private guardsOf(name: string): AguiGuards {
    const { controller, moduleRef } = this.routes;
    const route = methodOf(controller, name);
    const sources = [controller, ...(route === undefined ? [] : [route])];
    return new AguiGuards(
      moduleRef,
      new GuardRefs(
        moduleRef,
        sources.flatMap(
          (source) =>
            (Reflect.getMetadata(GUARDS, source) ?? []) as GuardSource[],
        ),
      ),
    );
  }
}
