import 'reflect-metadata';

export { CopilotKitModule } from './copilotkit.module.js';
export type { CopilotKitModuleOptions } from './copilotkit-module-options.js';
