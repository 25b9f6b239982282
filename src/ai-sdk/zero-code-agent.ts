import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { DiscoveryService, ModuleRef } from '@nestjs/core';
import { AguiAgentRegistry } from '../agent/agui-agent.registry.js';
import {
  MODULE_OPTIONS_TOKEN,
  type AguiModuleOptions,
} from '../agui.module-definition.js';
import { AguiProperties } from '../agui.properties.js';
import { AguiConfigurationError } from '../agui-properties.parser.js';
import { AiSdkAgent } from './ai-sdk-agent.js';
import type { AiSdkAgentOptions } from './ai-sdk-agent-options.js';
import { AI_SDK_AGENT_OPTIONS } from './ai-sdk.tokens.js';
import { aiSdkConfig } from './ai-sdk.config.js';
import { toolMethodsOf } from './agui-tool.decorator.js';
import { mergeTools } from './tools-of.js';

type Wrapper = ReturnType<DiscoveryService['getProviders']>[number];

/** Makes the module's options the default agent, if the application has registered none itself. */
@Injectable()
export class ZeroCodeAgent implements OnApplicationBootstrap {
  /** The id it is served under; undefined if it is not. */
  id: string | undefined;
  private readonly logger = new Logger('AiSdkAgentModule');

  constructor(
    @Inject(AI_SDK_AGENT_OPTIONS) private readonly options: AiSdkAgentOptions,
    private readonly registry: AguiAgentRegistry,
    private readonly properties: AguiProperties,
    private readonly discovery: DiscoveryService,
    private readonly moduleRef: ModuleRef,
  ) {}

  /** By now `AguiModule`, which is imported, has found the application's agents. */
  onApplicationBootstrap(): void {
    if (this.registry.ids().length > 0) {
      this.logger.log(
        `The application has agents of its own (${this.registry.ids().join(', ')}); none is made of the module's options.`,
      );
      return;
    }
    if (!this.options?.model)
      throw new AguiConfigurationError([
        'AiSdkAgentModule needs a model: AiSdkAgentModule.forRoot({ model }).',
      ]);
    this.id = this.properties.defaultAgentId;
    this.registry.register(
      this.id,
      new AiSdkAgent({
        ...aiSdkConfig(this.configFile()),
        ...this.options,
        tools: { ...this.foundTools(), ...this.options.tools },
      }),
    );
  }

  /** The YAML file that `AguiModule` was told of. */
  private configFile(): string | undefined {
    return this.moduleRef.get<AguiModuleOptions>(MODULE_OPTIONS_TOKEN, {
      strict: false,
    }).configFile;
  }

  private foundTools() {
    const providers = this.discovery
      .getProviders()
      .filter((wrapper) => !wrapper.isAlias && hasTools(wrapper))
      .filter((wrapper) => this.isSingleton(wrapper))
      .map(({ instance }) => instance as object);
    return mergeTools([...new Set(providers)]);
  }

  private isSingleton(wrapper: Wrapper): boolean {
    if (wrapper.isDependencyTreeStatic() && !wrapper.isTransient) return true;
    this.logger.warn(
      `The tools of ${wrapper.name} are left out, because it is not a singleton; give it the default scope.`,
    );
    return false;
  }
}

function hasTools({ instance, metatype }: Wrapper): boolean {
  const found: unknown =
    instance ?? (metatype as { prototype?: unknown } | null)?.prototype;
  return (
    typeof found === 'object' &&
    found !== null &&
    toolMethodsOf(found).length > 0
  );
}
