import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { ContextIdFactory, ModuleRef } from '@nestjs/core';
import { registerFound, registerNamed } from './agent-registration.js';
import { AguiAgentRegistry } from './agent/agui-agent.registry.js';
import { AguiExplorer } from './agui.explorer.js';
import { AguiExtensions } from './agui-extensions.js';
import {
  MODULE_OPTIONS_TOKEN,
  type AguiModuleOptions,
} from './agui.module-definition.js';
import { GuardRefs } from './http/agui-guards.js';

/** When the application is ready: finds its agents and extensions, and checks them. */
@Injectable()
export class AguiBootstrap implements OnApplicationBootstrap {
  constructor(
    private readonly moduleRef: ModuleRef,
    @Inject(MODULE_OPTIONS_TOKEN) private readonly options: AguiModuleOptions,
    private readonly explorer: AguiExplorer,
    private readonly extensions: AguiExtensions,
    private readonly registry: AguiAgentRegistry,
    private readonly guards: GuardRefs,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const exploration = this.explorer.explore();
    const named = [
      { options: this.options, moduleRef: this.moduleRef },
      ...exploration.features.map(({ feature, moduleRef }) => ({
        options: feature.options,
        moduleRef,
      })),
    ];
    await this.extensions.load(exploration, named);
    for (const { options, moduleRef } of named)
      await registerNamed(this.registry, options, moduleRef);
    registerFound(
      this.registry,
      exploration,
      named.map(({ options }) => options),
    );
    for (const customizer of await this.extensions.resolve(
      'registry-customizer',
      ContextIdFactory.create(),
    ))
      await customizer.customize(this.registry);
    await this.guards.load();
  }
}
