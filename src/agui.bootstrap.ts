import {
  Inject,
  Injectable,
  Logger,
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
import { AguiProperties } from './agui.properties.js';
import { GuardRefs } from './http/agui-guards.js';

/** When the application is ready: finds its agents and extensions, and checks them. */
@Injectable()
export class AguiBootstrap implements OnApplicationBootstrap {
  private readonly logger = new Logger('AguiModule');

  constructor(
    private readonly moduleRef: ModuleRef,
    @Inject(MODULE_OPTIONS_TOKEN) private readonly options: AguiModuleOptions,
    private readonly explorer: AguiExplorer,
    private readonly extensions: AguiExtensions,
    private readonly registry: AguiAgentRegistry,
    private readonly guards: GuardRefs,
    private readonly properties: AguiProperties,
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
      this.properties.serveUndecoratedAgents
        ? exploration
        : { ...exploration, undecoratedAgents: [] },
      named.map(({ options }) => options),
    );
    for (const customizer of await this.extensions.resolve(
      'registry-customizer',
      ContextIdFactory.create(),
    ))
      await customizer.customize(this.registry);
    await this.guards.load();
    this.announce();
  }

  private announce(): void {
    const ids = this.registry.ids().map((id) => `"${id}"`);
    if (ids.length === 0)
      this.logger.warn(
        'There is no agent to serve. Decorate a provider with @AguiAgent(id), or name one in forRoot({ agents }).',
      );
    else
      this.logger.log(
        `Serves ${ids.join(', ')} at ${this.properties.pathPrefix}/run.`,
      );
    if (!this.extensions.has('context-resolver'))
      this.logger.warn(
        'No context resolver tells whose the threads are: whoever knows the id of one may resume, read and cancel it.',
      );
  }
}
