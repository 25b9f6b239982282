import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { AguiAgentRegistry } from '../agent/agui-agent.registry.js';
import { AguiProperties } from '../agui.properties.js';
import { AiSdkAgent } from './ai-sdk-agent.js';
import type { AiSdkAgentOptions } from './ai-sdk-agent-options.js';
import { AI_SDK_AGENT_OPTIONS } from './ai-sdk.tokens.js';
import { aiSdkConfig } from './ai-sdk.config.js';
import { toolMethodsOf } from './agui-tool.decorator.js';
import { mergeTools } from './tools-of.js';

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
  ) {}

  /** By now `AguiModule`, which is imported, has found the application's agents. */
  onApplicationBootstrap(): void {
    if (this.registry.ids().length > 0) {
      this.logger.log(
        `The application has agents of its own (${this.registry.ids().join(', ')}); none is made of the module's options.`,
      );
      return;
    }
    this.id = this.properties.defaultAgentId;
    this.registry.register(
      this.id,
      new AiSdkAgent({
        ...aiSdkConfig(),
        ...this.options,
        tools: { ...this.foundTools(), ...this.options.tools },
      }),
    );
  }

  private foundTools() {
    const providers = this.discovery
      .getProviders()
      .filter((wrapper) => !wrapper.isAlias && wrapper.isDependencyTreeStatic())
      .map(({ instance }) => instance as unknown)
      .filter((instance) => isObject(instance))
      .filter((instance) => toolMethodsOf(instance).length > 0);
    return mergeTools([...new Set(providers)]);
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
