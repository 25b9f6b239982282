import { inspect } from 'node:util';
import {
  ConfigurableModuleBuilder,
  type ControllerOptions,
  type Type,
} from '@nestjs/common';
import type {
  AguiFeatureOptions,
  AguiForFeatureOptions,
} from './agui-features.js';
import { AguiConfigurationError } from './agui-properties.parser.js';
import type { AguiPropertiesInput } from './agui.properties.js';
import { AGUI_CONTROLLER, AGUI_STATIC_GUARDS } from './agui.tokens.js';
import type { GuardSource } from './http/agui-guards.js';
import { AguiController, controllerFor } from './http/agui.controller.js';
import type { ThreadStore } from './thread/thread-store.js';

/**
 * What `AguiModule.forRoot()` takes: every property of the configuration, agents and extensions,
 * and what concerns the routes. What is given here wins over environment and YAML.
 */
export interface AguiModuleOptions
  extends AguiPropertiesInput, AguiFeatureOptions {
  /** Asked in this order before each run: guard classes (the application's providers, or made here) or instances. */
  guards?: readonly GuardSource[];
  /**
   * Where threads are kept. Default: in this process, gone with it. `RedisThreadStore` shares them
   * between several.
   */
  threadStore?: ThreadStore;
  /**
   * The YAML file of the configuration. Default: `AGUI_CONFIG_FILE`, else `application.yaml` or
   * `.yml` if there is one.
   */
  configFile?: string;
}

/** What must be known when the module is declared, also by `forRootAsync`. */
export interface AguiModuleExtras {
  /** Makes the registry and the processor injectable everywhere. Default true. */
  isGlobal?: boolean;
  /** The version of the routes, in an application with versioning. Default: the application's default version. */
  version?: ControllerOptions['version'];
  /** Put on the controller: `UseGuards(…)`, `UseInterceptors(…)`, OpenAPI decorators … */
  decorators?: readonly ClassDecorator[];
  /** A class derived from {@link AguiController}. */
  controller?: Type<AguiController>;
  /** Asked before the guards of the options. */
  guards?: readonly GuardSource[];
  /** Modules that the guards, agents and extensions named here depend on. */
  imports?: AguiForFeatureOptions['imports'];
}

const NO_EXTRAS: Record<keyof AguiModuleExtras, undefined> = {
  isGlobal: undefined,
  version: undefined,
  decorators: undefined,
  controller: undefined,
  guards: undefined,
  imports: undefined,
};

/** @throws AguiConfigurationError for what cannot be a controller, or decorate one. */
function checkExtras({ controller, decorators }: AguiModuleExtras): void {
  if (controller !== undefined && typeof controller !== 'function')
    throw new AguiConfigurationError([
      `"controller" is ${inspect(controller)}; allowed: a class derived from AguiController.`,
    ]);
  const isList =
    decorators === undefined ||
    (Array.isArray(decorators) &&
      decorators.every((one) => typeof one === 'function'));
  if (!isList)
    throw new AguiConfigurationError([
      `"decorators" is ${inspect(decorators)}; allowed: a list of class decorators.`,
    ]);
}

/** What an asynchronous factory gives too late. */
export const DECLARED_ONLY: readonly string[] = Object.keys(NO_EXTRAS).filter(
  (name) => name !== 'guards',
);

export const {
  ConfigurableModuleClass,
  MODULE_OPTIONS_TOKEN,
  OPTIONS_TYPE,
  ASYNC_OPTIONS_TYPE,
} = new ConfigurableModuleBuilder<AguiModuleOptions>({ moduleName: 'Agui' })
  .setClassMethodName('forRoot')
  .setExtras<AguiModuleExtras>(NO_EXTRAS, (definition, extras) => {
    const { isGlobal = true, guards = [], decorators = [] } = extras;
    checkExtras(extras);
    const controller = controllerFor(
      extras.controller ?? AguiController,
      decorators,
      extras.version,
    );
    return {
      ...definition,
      global: isGlobal,
      imports: definition.imports ?? extras.imports,
      controllers: [controller],
      providers: [
        ...(definition.providers ?? []),
        { provide: AGUI_CONTROLLER, useValue: controller },
        { provide: AGUI_STATIC_GUARDS, useValue: guards },
      ],
    };
  })
  .build();
