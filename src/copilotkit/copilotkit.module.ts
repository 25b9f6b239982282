import {
  ConfigurableModuleBuilder,
  Inject,
  Module,
  type DynamicModule,
  type NestModule,
  type Type,
} from '@nestjs/common';
import { DiscoveryModule, ModuleRef } from '@nestjs/core';
import { AguiProperties } from '../agui.properties.js';
import { AguiRoutes } from '../http/agui-routes.js';
import { installHttpEdge } from '../http/http-edge.js';
import { RouteGuards } from '../http/route-guards.js';
import { requireFactory } from '../require-factory.js';
import { copilotKitController } from './copilotkit.controller.js';
import { CopilotKitEndpoint } from './copilotkit.endpoint.js';
import {
  checked,
  COPILOTKIT_CONTROLLER,
  COPILOTKIT_GIVEN_OPTIONS,
  COPILOTKIT_OPTIONS,
  type CopilotKitModuleOptions,
} from './copilotkit-module-options.js';
import { refusalOf } from './refusal.js';
import { meantBy } from './single-route.js';

const { ConfigurableModuleClass, OPTIONS_TYPE, ASYNC_OPTIONS_TYPE } =
  new ConfigurableModuleBuilder<CopilotKitModuleOptions>({
    optionsInjectionToken: COPILOTKIT_GIVEN_OPTIONS,
  })
    .setClassMethodName('forRoot')
    .setExtras({}, (definition) => {
      const controller = copilotKitController();
      return {
        ...definition,
        controllers: [controller],
        providers: [
          ...(definition.providers ?? []),
          { provide: COPILOTKIT_CONTROLLER, useValue: controller },
        ],
      };
    })
    .build();

/** The routes below the base path that need no body. */
const STOP = /\/stop\/[^/]+\/?$/;

/**
 * Answers what CopilotKit's front ends ask of their runtime, in both of its spellings, from the agents,
 * guards, resolvers and threads of the application's `AguiModule`: there is no second server.
 *
 * @example
 * ```ts
 * @Module({ imports: [AguiModule.forRoot(), CopilotKitModule.forRoot()] })
 * export class AppModule {}
 * ```
 * ```tsx
 * <CopilotKitProvider runtimeUrl="/api/copilotkit">
 * ```
 */
@Module({
  imports: [DiscoveryModule],
  providers: [
    {
      provide: COPILOTKIT_OPTIONS,
      inject: [COPILOTKIT_GIVEN_OPTIONS],
      useFactory: checked,
    },
    AguiRoutes,
    CopilotKitEndpoint,
    RouteGuards,
  ],
})
export class CopilotKitModule
  extends ConfigurableModuleClass
  implements NestModule
{
  constructor(
    private readonly moduleRef: ModuleRef,
    private readonly routes: AguiRoutes,
    @Inject(COPILOTKIT_OPTIONS)
    private readonly options: CopilotKitModuleOptions,
    @Inject(COPILOTKIT_CONTROLLER) private readonly controller: Type,
  ) {
    super();
  }

  /** Nest calls this before there are routes. */
  configure(): void {
    const { basePath: path = '/api/copilotkit' } = this.options;
    this.routes.describe(this.controller);
    Reflect.defineMetadata('path', path, this.controller);
    installHttpEdge(this.moduleRef, this.routes.moduleRef.get(AguiProperties), {
      module: CopilotKitModule,
      path,
      routes: '(?:/(?:info|agent/[^/?#]+/(?:run|connect|stop/[^/?#]+)))?',
      meantBy,
      takesNothing: (url) => STOP.test(url),
      refusal: refusalOf,
    });
  }

  /**
   * The module with options in code.
   *
   * @throws AguiConfigurationError at the start, for options that cannot be used, or without an `AguiModule`.
   */
  static override forRoot(options: typeof OPTIONS_TYPE = {}): DynamicModule {
    return super.forRoot(options);
  }

  /**
   * The module with options from a factory, such as one that asks a `ConfigService`.
   *
   * @throws AguiConfigurationError if there is none.
   */
  static override forRootAsync(
    options: typeof ASYNC_OPTIONS_TYPE,
  ): DynamicModule {
    requireFactory(CopilotKitModule.name, options);
    return super.forRootAsync(options);
  }
}
