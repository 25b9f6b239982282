import {
  Inject,
  Module,
  type DynamicModule,
  type NestModule,
  type OnModuleInit,
  type Provider,
  type Type,
} from '@nestjs/common';
import { DiscoveryModule, ModuleRef } from '@nestjs/core';
import { AguiAgentRegistry } from './agent/agui-agent.registry.js';
import { AguiAgentResolver } from './agent/agui-agent.resolver.js';
import { AguiBootstrap } from './agui.bootstrap.js';
import { AguiExplorer } from './agui.explorer.js';
import { AguiExtensions } from './agui-extensions.js';
import {
  AguiFeature,
  checkFeatureOptions,
  type AguiForFeatureOptions,
} from './agui-features.js';
import {
  ConfigurableModuleClass,
  MODULE_OPTIONS_TOKEN,
  type AguiModuleOptions,
  type ASYNC_OPTIONS_TYPE,
  type OPTIONS_TYPE,
} from './agui.module-definition.js';
import { guardsOf, propertiesOf } from './agui-module-options.js';
import { AguiProperties } from './agui.properties.js';
import { AguiConfigurationError } from './agui-properties.parser.js';
import {
  AGUI_CONTROLLER,
  AGUI_GUARDS,
  AGUI_STATIC_GUARDS,
} from './agui.tokens.js';
import { AguiEndpoint } from './http/agui.endpoint.js';
import { AguiGuards, GuardRefs } from './http/agui-guards.js';
import { installHttpEdge } from './http/http-edge.js';
import { describeRequestedAgent } from './http/requested-agent.js';
import { requireFactory } from './require-factory.js';
import { ActiveRuns } from './run/active-runs.js';
import { AguiRequestProcessor } from './run/agui-request.processor.js';
import { AguiResumeCoordinator } from './run/agui-resume-coordinator.js';
import { AguiThreads } from './run/agui-threads.js';
import { RunObservers } from './run/run-observers.js';
import { ThreadMemory } from './run/thread-memory.js';
import { WaitingRuns } from './run/waiting-runs.js';
import { InMemoryThreadStore } from './thread/in-memory-thread-store.js';
import { ThreadSessionManager } from './thread/thread-session.manager.js';
import { ThreadStore } from './thread/thread-store.js';

const PROVIDERS: Provider[] = [
  {
    provide: AguiProperties,
    inject: [MODULE_OPTIONS_TOKEN],
    useFactory: propertiesOf,
  },
  {
    provide: AGUI_GUARDS,
    inject: [AGUI_STATIC_GUARDS, MODULE_OPTIONS_TOKEN],
    useFactory: guardsOf,
  },
  {
    provide: AguiAgentResolver,
    inject: [AguiAgentRegistry, AguiProperties],
    useFactory: (registry: AguiAgentRegistry, properties: AguiProperties) =>
      new AguiAgentResolver(registry, properties.defaultAgentId),
  },
  {
    provide: ThreadSessionManager,
    inject: [AguiProperties],
    useFactory: (properties: AguiProperties) =>
      new ThreadSessionManager(properties),
  },
  {
    provide: ThreadStore,
    inject: [AguiProperties, MODULE_OPTIONS_TOKEN],
    useFactory: (properties: AguiProperties, options: AguiModuleOptions) =>
      options.threadStore ?? new InMemoryThreadStore(properties),
  },
  {
    provide: ActiveRuns,
    inject: [AguiProperties],
    useFactory: ({ shutdownGrace }: AguiProperties) =>
      new ActiveRuns(shutdownGrace),
  },
  { provide: AguiAgentRegistry, useFactory: () => new AguiAgentRegistry() },
  AguiBootstrap,
  AguiEndpoint,
  AguiExplorer,
  AguiExtensions,
  AguiGuards,
  AguiRequestProcessor,
  AguiResumeCoordinator,
  AguiThreads,
  GuardRefs,
  RunObservers,
  ThreadMemory,
  { provide: WaitingRuns, useFactory: () => new WaitingRuns() },
];

const EXPORTS = [
  ActiveRuns,
  AguiAgentRegistry,
  AguiEndpoint,
  AguiGuards,
  AguiProperties,
  AguiRequestProcessor,
  AguiThreads,
  GuardRefs,
  RunObservers,
  ThreadStore,
];

/**
 * Serves the application's agents over AG-UI: `POST {prefix}/run` and `POST {prefix}/run/:agentId`,
 * and their threads: `POST {prefix}/connect` and `POST {prefix}/cancel`.
 *
 * @example
 * ```ts
 * @Module({ imports: [AguiModule.forRoot()], providers: [WeatherAgent] })
 * export class AppModule {}
 * ```
 */
@Module({
  imports: [DiscoveryModule],
  providers: PROVIDERS,
  exports: EXPORTS,
})
export class AguiModule extends ConfigurableModuleClass implements NestModule {
  constructor(
    private readonly moduleRef: ModuleRef,
    private readonly properties: AguiProperties,
    private readonly agents: AguiAgentResolver,
    @Inject(AGUI_CONTROLLER) private readonly controller: Type,
  ) {
    super();
    // For whoever asks for the routes before there are any, as OpenAPI documents are made.
    this.placeController();
  }

  /** Nest calls this when the platform and the application's own middleware are there, and no route yet. */
  configure(): void {
    // Another application of the same declaration may have been made since.
    this.placeController();
    const header = this.properties.agentIdHeader.toLowerCase();
    describeRequestedAgent(this.controller, ({ params, headers, body }) =>
      this.agents.requestedId(
        {
          pathAgentId: params?.agentId,
          headerAgentId: [headers[header]].flat()[0],
        },
        (body ?? {}) as { forwardedProps?: unknown },
      ),
    );
    installHttpEdge(this.moduleRef, this.properties, {
      module: AguiModule,
      path: this.properties.pathPrefix,
      routes: '/(?:(?:run|connect)(?:/[^/?#]+)?|cancel|agents)',
    });
  }

  /** The path may come from anywhere, and differ between two applications of one declaration. */
  private placeController(): void {
    Reflect.defineMetadata('path', this.properties.pathPrefix, this.controller);
  }

  /**
   * The module with options in code. What is not given comes from the environment, then from YAML,
   * then from the defaults.
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
    requireFactory(AguiModule.name, options);
    return super.forRootAsync(options);
  }

  /**
   * More agents and extensions, named instead of found; any module may add some.
   *
   * @throws AguiConfigurationError for an option there is not, and at the start if the application
   * has no `forRoot`.
   */
  static forFeature({
    imports = [],
    ...options
  }: AguiForFeatureOptions): DynamicModule {
    checkFeatureOptions(options);
    return {
      module: AguiFeatureModule,
      imports,
      providers: [{ provide: AguiFeature, useValue: new AguiFeature(options) }],
    };
  }
}

/** Carries one `forFeature`. */
@Module({})
class AguiFeatureModule implements OnModuleInit {
  constructor(private readonly moduleRef: ModuleRef) {}

  onModuleInit(): void {
    try {
      this.moduleRef.get(AguiExplorer, { strict: false });
    } catch {
      throw new AguiConfigurationError([
        'AguiModule.forFeature() needs AguiModule.forRoot() in the same application.',
      ]);
    }
  }
}
