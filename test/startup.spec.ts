import { Injectable, type ModuleMetadata } from '@nestjs/common';
import { afterEach, describe, expect, it } from 'vitest';
import {
  AguiAgent,
  type Agent,
  AguiConfigurationError,
  AguiModule,
  InvalidExtensionError,
  type AguiForFeatureOptions,
  type GuardSource,
} from 'nestjs-agui';
import { sayer } from './support/agents.js';
import { closeApps, startApp } from './support/app.js';
import { tellerOf } from './support/module-app.js';

afterEach(closeApps);

const start = (metadata: ModuleMetadata) => startApp('express', metadata);

@Injectable()
class Nobody {
  streamEvents: Agent['streamEvents'] = (...given) =>
    tellerOf(() => 'hi').streamEvents(...given);
}

describe('The start of an application', () => {
  it('should say which agents are served, and where', async () => {
    const { log } = await start({
      imports: [
        AguiModule.forRoot({
          pathPrefix: '/chat',
          agents: { one: sayer('1'), two: sayer('2') },
        }),
      ],
    });

    expect(log).toContain('log: Serves "one", "two" at /chat/run. AguiModule');
  });

  it('should warn of an application without agents', async () => {
    const { log } = await start({ imports: [AguiModule.forRoot()] });

    expect(log).toContain(
      'warn: There is no agent to serve. Decorate a provider with @AguiAgent(id), or name one in forRoot({ agents }). AguiModule',
    );
  });

  it('should say which agents are served though nothing declares them', async () => {
    const { log } = await start({
      imports: [AguiModule.forRoot()],
      providers: [Nobody],
    });

    expect(log).toContain(
      'log: Provider Nobody has no @AguiAgent but is an agent: it is served as "Nobody". AguiModule',
    );
  });

  it('should refuse a blank id, naming the provider', async () => {
    @AguiAgent(' ')
    class Blank extends Nobody {}

    await expect(
      start({ imports: [AguiModule.forRoot()], providers: [Blank] }),
    ).rejects.toThrow(
      'An agent needs an id that is not blank (provider Blank).',
    );
  });

  it('should refuse forFeature without forRoot', async () => {
    const starting = start({
      imports: [AguiModule.forFeature({ agents: { one: sayer('1') } })],
    });

    await expect(starting).rejects.toThrow(AguiConfigurationError);
    await expect(starting).rejects.toThrow(
      'AguiModule.forFeature() needs AguiModule.forRoot() in the same application.',
    );
  });

  it('should refuse an option that forFeature has not', () => {
    const wrong = { agent: { one: sayer('1') }, pathPrefix: '/x' };

    expect(() => AguiModule.forFeature(wrong as AguiForFeatureOptions)).toThrow(
      /"agent" is no option of AguiModule\.forFeature\(\).*"pathPrefix" is no option/s,
    );
  });

  it('should refuse a class as a guard that is none', async () => {
    class NoGuard {}
    const guards = [NoGuard as GuardSource];

    const starting = start({ imports: [AguiModule.forRoot({ guards })] });

    await expect(starting).rejects.toThrow(InvalidExtensionError);
    await expect(starting).rejects.toThrow(
      'The provider NoGuard is named as a guard but has no method canActivate().',
    );
  });

  it('should tell that AguiModule is imported by forRoot()', async () => {
    await expect(start({ imports: [AguiModule] })).rejects.toThrow(
      'AguiModule.forRoot()',
    );
  });
});
