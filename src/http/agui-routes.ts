import { Injectable, type Type } from '@nestjs/common';
import { DiscoveryService, ModuleRef } from '@nestjs/core';
import { AguiConfigurationError } from '../agui-properties.parser.js';
import { AGUI_CONTROLLER } from '../agui.tokens.js';
import type { AguiController } from './agui.controller.js';

/** What Nest makes instances of when it reads a class, which a class that was read already cannot take over. */
const ENHANCERS = [
  '__guards__',
  '__interceptors__',
  '__pipes__',
  '__exceptionFilters__',
];
/** What every controller has, though it says nothing. */
const PLACEMENT = ['host', '__version__'];

/** The routes of the application's `AguiModule`, for modules that serve the same agents at other places. */
@Injectable()
export class AguiRoutes {
  constructor(private readonly discovery: DiscoveryService) {}

  /** @throws AguiConfigurationError if the application has no `AguiModule`. */
  get controller(): Type<AguiController> {
    return this.found().instance as Type<AguiController>;
  }

  /** Of the module itself: it finds what the module does not export, too. */
  get moduleRef(): ModuleRef {
    return this.found().host!.providers.get(ModuleRef)!.instance as ModuleRef;
  }

  /**
   * Puts on a controller what is written on that of `AguiModule`: its version, roles for global
   * guards …; methods get it from those of their names.
   */
  describe(controller: Type): void {
    const { controller: routes } = this;
    copyMetadata(routes, controller, PLACEMENT);
    for (const name of Object.getOwnPropertyNames(controller.prototype)) {
      const route = methodOf(routes, name);
      if (route !== undefined)
        copyMetadata(route, methodOf(controller, name)!, []);
    }
  }

  private found() {
    const found = this.discovery
      .getProviders()
      .find(({ token }) => token === AGUI_CONTROLLER);
    if (found !== undefined) return found;
    throw new AguiConfigurationError([
      'There is no AguiModule in this application: import AguiModule.forRoot().',
    ]);
  }
}

/** A method of a controller, unless it is the constructor. */
export function methodOf(controller: Type, name: string): object | undefined {
  if (name === 'constructor') return undefined;
  return (controller.prototype as Record<string, object | undefined>)[name];
}

/** @param over what is copied over what is there already. */
function copyMetadata(from: object, to: object, over: readonly string[]): void {
  for (const key of Reflect.getMetadataKeys(from) as string[]) {
    const isOwn = Reflect.hasOwnMetadata(key, to);
    if (ENHANCERS.includes(key) || (isOwn && !over.includes(key))) continue;
    Reflect.defineMetadata(key, Reflect.getMetadata(key, from), to);
  }
}
