import { AguiModule } from 'nestjs-agui';
import { startApp, type Platform, type TestApp } from './app.js';
import type { Given } from './extension-forms.js';
import { witness } from './extension-kinds.js';

/** An application with a witness as its default agent, and the extensions that are given. */
export function startWith(
  platform: Platform,
  { providers, imports = [], options }: Given,
): Promise<TestApp> {
  return startApp(platform, {
    imports: [
      AguiModule.forRoot({
        listAgents: true,
        ...options,
        agents: { default: witness, ...options?.agents },
      }),
      ...imports,
    ],
    providers,
  });
}
