import {
  Injectable,
  type CanActivate,
  type ExecutionContext,
  type Type,
} from '@nestjs/common';
import { DiscoveryService, ModuleRef } from '@nestjs/core';
import { AGUI_CONTROLLER } from '../agui.tokens.js';
import {
  AguiGuards,
  GuardRefs,
  type GuardSource,
} from '../http/agui-guards.js';
import type { AguiController } from '../http/agui.controller.js';

const GUARDS = '__guards__';
/** What Nest makes instances of when it reads a class, which a class that was read already cannot take over. */
const ENHANCERS = [
  GUARDS,
  '__interceptors__',
  '__pipes__',
  '__exceptionFilters__',
];
/** What every controller has, though it says nothing. */
const PLACEMENT = ['host', '__version__'];

/**
 * Asks the guards of `AguiModule`'s routes, however they came there: by options, as decorators, or
 * with a controller of the application's.
 */
@Injectable()
export class RouteGuards implements CanActivate {
  private guards: AguiGuards | undefined;

  constructor(private readonly discovery: DiscoveryService) {}

  canActivate(context: ExecutionContext): Promise<boolean> {
    return (this.guards ??= this.guardsOfRoutes()).canActivate(context);
  }

  /** Puts on a controller what else is written on that of `AguiModule`: its version, roles for global guards … */
  describe(controller: Type): void {
    const { routes } = this.findRoutes();
    for (const key of Reflect.getMetadataKeys(routes) as string[]) {
      const isOwn = Reflect.hasOwnMetadata(key, controller);
      if (ENHANCERS.includes(key) || (isOwn && !PLACEMENT.includes(key)))
        continue;
      Reflect.defineMetadata(key, Reflect.getMetadata(key, routes), controller);
    }
  }

  private guardsOfRoutes(): AguiGuards {
    const { routes, moduleRef } = this.findRoutes();
    const sources = [routes, routes.prototype.run].flatMap(
      (target) => (Reflect.getMetadata(GUARDS, target) ?? []) as GuardSource[],
    );
    return new AguiGuards(moduleRef, new GuardRefs(moduleRef, sources));
  }

  private findRoutes() {
    const { instance, host } = this.discovery
      .getProviders()
      .find(({ token }) => token === AGUI_CONTROLLER)!;
    return {
      routes: instance as Type<AguiController>,
      moduleRef: host!.providers.get(ModuleRef)!.instance as ModuleRef,
    };
  }
}
