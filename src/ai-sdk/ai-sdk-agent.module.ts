import {
  ConfigurableModuleBuilder,
  Inject,
  Module,
  type NestModule,
  type Type,
} from '@nestjs/common';
import { DiscoveryModule, ModuleRef } from '@nestjs/core';
import { AguiModule } from '../agui.module.js';
import { AguiProperties } from '../agui.properties.js';
import { AguiRoutes } from '../http/agui-routes.js';
import { installHttpEdge } from '../http/http-edge.js';
import { describeRequestedAgent } from '../http/requested-agent.js';
import { RouteGuards } from '../http/route-guards.js';
import { controllerAt } from './ai-sdk-agent.controller.js';
import type { AiSdkAgentOptions } from './ai-sdk-agent-options.js';
import {
  AI_SDK_AGENT_CONTROLLER,
  AI_SDK_AGENT_OPTIONS,
  AI_SDK_AGENT_PATH,
} from './ai-sdk.tokens.js';
import { ZeroCodeAgent } from './zero-code-agent.js';

/** What must be known when the module is declared, also by `forRootAsync`. */
export interface AiSdkAgentModuleExtras {
  /** Where the agent is served, besides as `AguiModule`'s default agent. Default `/agent`. */
  path?: string;
  /** Options of the `AguiModule` that comes along; `false` if the application imports one itself. */
  agui?: Parameters<typeof AguiModule.forRoot>[0] | false;
}

const EXTRAS: AiSdkAgentModuleExtras = { path: '/agent', agui: {} };

const { ConfigurableModuleClass } =
  new ConfigurableModuleBuilder<AiSdkAgentOptions>({
    optionsInjectionToken: AI_SDK_AGENT_OPTIONS,
  })
    .setClassMethodName('forRoot')
    .setExtras(EXTRAS, (definition, { path, agui }) => {
      const controller = controllerAt(path!);
      return {
        ...definition,
        imports: [
          ...(definition.imports ?? []),
          ...(agui === false ? [] : [AguiModule.forRoot(agui)]),
        ],
        controllers: [controller],
        providers: [
          ...(definition.providers ?? []),
          { provide: AI_SDK_AGENT_PATH, useValue: path },
          { provide: AI_SDK_AGENT_CONTROLLER, useValue: controller },
        ],
      };
    })
    .build();

/**
 * Serves an {@link AiSdkAgent} without any code (Spring AI: "Zero-code setup"): at `/agent` and as the
 * default agent, with the tools that `@AguiTool` methods of the application's providers are; only if
 * the application registers no agent itself. `AguiModule` comes along; its guards are asked at both places.
 *
 * @example
 * ```ts
 * @Module({ imports: [AiSdkAgentModule.forRoot({ model: openai('gpt-5') })] })
 * export class AppModule {}
 * ```
 */
@Module({
  imports: [DiscoveryModule],
  providers: [AguiRoutes, RouteGuards, ZeroCodeAgent],
})
export class AiSdkAgentModule
  extends ConfigurableModuleClass
  implements NestModule
{
  constructor(
    private readonly moduleRef: ModuleRef,
    private readonly properties: AguiProperties,
    routes: AguiRoutes,
    @Inject(AI_SDK_AGENT_PATH) private readonly path: string,
    @Inject(AI_SDK_AGENT_CONTROLLER) private readonly controller: Type,
  ) {
    super();
    routes.describe(controller);
  }

  /** Nest calls this before there are routes. */
  configure(): void {
    const { defaultAgentId } = this.properties;
    describeRequestedAgent(this.controller, () => defaultAgentId);
    installHttpEdge(this.moduleRef, this.properties, {
      module: AiSdkAgentModule,
      path: this.path,
      routes: '',
    });
  }
}
