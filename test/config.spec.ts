import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AguiModule, AguiProperties } from 'nestjs-agui';
import {
  closeApps,
  PLATFORMS,
  startApp,
  type Platform,
  type TestApp,
} from './support/app.js';
import {
  AGENTS,
  EFFECTS,
  UNDECORATED,
  type Effect,
} from './support/config-effects.js';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'agui-config-'));
  for (const name of Object.keys(process.env))
    if (/^(AGENTSCOPE_)?AGUI_/.test(name)) vi.stubEnv(name, undefined);
});

afterEach(async () => {
  await closeApps();
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const kebab = (key: string) =>
  key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const constant = (key: string) => kebab(key).replaceAll('-', '_').toUpperCase();

function yamlFile(section: object): void {
  const file = join(folder, 'configuration.yaml');
  // JSON is YAML.
  writeFileSync(file, JSON.stringify(section));
  vi.stubEnv('AGUI_CONFIG_FILE', file);
}

type Source = (key: string, given: { value: unknown; text: string }) => object;

/** Puts a value where it is configured; returns what is left for the code to give. */
const SOURCES: Record<string, Source> = {
  code: (key, { value }) => ({ [key]: value }),
  AGUI_: (key, { text }) => {
    vi.stubEnv(`AGUI_${constant(key)}`, text);
    return {};
  },
  AGENTSCOPE_AGUI_: (key, { text }) => {
    vi.stubEnv(`AGENTSCOPE_AGUI_${constant(key)}`, text);
    return {};
  },
  'agui: in YAML': (key, { value }) => {
    yamlFile({ agui: { [kebab(key)]: value } });
    return {};
  },
  'agentscope.agui: in YAML': (key, { text }) => {
    yamlFile({ agentscope: { agui: { [kebab(key)]: text } } });
    return {};
  },
};

/** Each platform with its share of the sources. */
const SHARES: Record<Platform, string[]> = {
  express: ['code', 'AGUI_', 'agentscope.agui: in YAML'],
  fastify: ['code', 'AGENTSCOPE_AGUI_', 'agui: in YAML'],
};

function start(platform: Platform, options: object = {}) {
  return startApp(platform, {
    imports: [AguiModule.forRoot({ agents: AGENTS, ...options })],
    providers: [UNDECORATED],
  });
}

/** What should happen is waited for; what should not is not waited for so long. */
function seen(app: TestApp, { see }: Effect, expected: unknown) {
  return see(app, expected === true ? 4000 : 100);
}

describe('The effects that are tested', () => {
  it('should be those of all keys', () => {
    expect(Object.keys(EFFECTS)).toEqual(Object.keys(new AguiProperties()));
  });
});

describe.each(PLATFORMS)('The configuration on %s', (platform) => {
  describe.each(Object.entries(EFFECTS))('%s', (key, effect) => {
    it('should have the effect of its default', async () => {
      const app = await start(platform, effect.also);
      expect(await seen(app, effect, effect.byDefault)).toEqual(
        effect.byDefault,
      );
    });

    it.each(SHARES[platform])('should have an effect from %s', async (name) => {
      const given = SOURCES[name]!(key, effect);
      const app = await start(platform, { ...effect.also, ...given });
      expect(await seen(app, effect, effect.configured)).toEqual(
        effect.configured,
      );
    });
  });
});
