import type { Server } from 'node:net';
import {
  RequestMethod,
  type ControllerOptions,
  type INestApplication,
  type Type,
} from '@nestjs/common';
import { ModuleRef, ModulesContainer } from '@nestjs/core';
import { RoutePathFactory } from '@nestjs/core/router/route-path-factory.js';
import { AguiModule } from '../agui.module.js';
import { AguiProperties } from '../agui.properties.js';
import { AGUI_CONTROLLER } from '../agui.tokens.js';
import { configOf, modulePathOf } from '../http/path-before-routes.js';

const listening = new WeakMap<INestApplication, Promise<unknown>>();

/** The URL at which an application runs an agent. It is made to listen, if it does not. */
export async function routeOf(
  app: INestApplication,
  { path, agentId }: { path?: string; agentId?: string },
): Promise<string> {
  const server = app.getHttpServer() as Server;
  if (!server.listening && !listening.has(app))
    listening.set(app, app.listen(0, '127.0.0.1'));
  await listening.get(app);
  return (await app.getUrl()) + (path ?? runPathOf(app, agentId));
}

/** The path of the run route of the first `AguiModule`, as Nest makes it. */
function runPathOf(app: INestApplication, agentId: string | undefined): string {
  const module = [...app.get(ModulesContainer).values()].find(
    ({ metatype }) => metatype === AguiModule,
  );
  if (module === undefined)
    throw new Error(
      'runAgent() finds no AguiModule in this application. Give it the path of the route: runAgent(app, input, { path }).',
    );
  const instanceOf = <T>(token: typeof ModuleRef | Type<T> | string) =>
    module.providers.get(token)!.instance as T;
  const moduleRef = instanceOf<ModuleRef>(ModuleRef);
  const config = configOf(moduleRef)!;
  const versioningOptions = config.getVersioning();
  const run =
    agentId === undefined ? '/run' : `/run/${encodeURIComponent(agentId)}`;
  const version = Reflect.getMetadata(
    '__version__',
    instanceOf<Type>(AGUI_CONTROLLER),
  ) as ControllerOptions['version'];
  const [first] = new RoutePathFactory(config).create(
    {
      globalPrefix: config.getGlobalPrefix(),
      modulePath: modulePathOf(moduleRef, AguiModule),
      ctrlPath: instanceOf<AguiProperties>(AguiProperties).pathPrefix,
      methodPath: run,
      controllerVersion: version ?? versioningOptions?.defaultVersion,
      versioningOptions,
    },
    RequestMethod.POST,
  );
  return first!;
}
