import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ModuleMetadata } from '@nestjs/common';
import { ConfigModule, ConfigService } from '@nestjs/config';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  aguiConfig,
  AguiConfigurationError,
  AguiModule,
  AguiProperties,
} from 'nestjs-agui';
import { closeApps, PLATFORMS, startApp, type TestApp } from './support/app.js';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'agui-config-'));
  vi.spyOn(process, 'cwd').mockReturnValue(folder);
  for (const name of Object.keys(process.env))
    if (/^(AGENTSCOPE_)?AGUI_/.test(name)) vi.stubEnv(name, undefined);
});

afterEach(async () => {
  await closeApps();
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

function write(name: string, content: string): string {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}

describe.each(PLATFORMS)('Configuration on %s', (platform) => {
  const start = (
    root: NonNullable<ModuleMetadata['imports']>[number],
    ...imports: NonNullable<ModuleMetadata['imports']>
  ): Promise<TestApp> => startApp(platform, { imports: [root, ...imports] });

  const propertiesOf = ({ app }: TestApp) => app.get(AguiProperties);

  it('should come from code, then the environment, then YAML, then the defaults', async () => {
    write(
      'application.yaml',
      `
agentscope:
  agui:
    path-prefix: /starter-yaml
    default-agent-id: starter-yaml
    agent-id-header: starter-yaml
    run-timeout: 5s
    heartbeat-interval: 5s
    sse-timeout: 5s
agui:
  path-prefix: /yaml
  default-agent-id: yaml
  agent-id-header: yaml
  run-timeout: 4s
  heartbeat-interval: 4s
`,
    );
    vi.stubEnv('AGENTSCOPE_AGUI_PATH_PREFIX', '/starter-environment');
    vi.stubEnv('AGENTSCOPE_AGUI_DEFAULT_AGENT_ID', 'starter-environment');
    vi.stubEnv('AGENTSCOPE_AGUI_AGENT_ID_HEADER', 'starter-environment');
    vi.stubEnv('AGENTSCOPE_AGUI_RUN_TIMEOUT', '3s');
    vi.stubEnv('AGUI_PATH_PREFIX', '/environment');
    vi.stubEnv('AGUI_DEFAULT_AGENT_ID', 'environment');
    vi.stubEnv('AGUI_AGENT_ID_HEADER', 'environment');
    const app = await start(
      AguiModule.forRoot({ pathPrefix: '/code', agentIdHeader: undefined }),
    );
    expect(propertiesOf(app)).toMatchObject({
      pathPrefix: '/code',
      defaultAgentId: 'environment',
      agentIdHeader: 'environment',
      runTimeout: 3000,
      heartbeatInterval: 4000,
      sseTimeout: 5000,
      maxThreadSessions: 1000,
    });
  });

  it('should come the same way with asynchronous options', async () => {
    vi.stubEnv('AGUI_PATH_PREFIX', '/environment');
    vi.stubEnv('AGUI_RUN_TIMEOUT', '3s');
    const app = await start(
      AguiModule.forRootAsync({ useFactory: () => ({ pathPrefix: '/code' }) }),
    );
    expect(propertiesOf(app)).toMatchObject({
      pathPrefix: '/code',
      runTimeout: 3000,
    });
  });

  it('should come from the file that the options name, before AGUI_CONFIG_FILE', async () => {
    vi.stubEnv(
      'AGUI_CONFIG_FILE',
      write('environment.yaml', 'agui: { path-prefix: /environment }'),
    );
    const app = await start(
      AguiModule.forRoot({
        configFile: write('code.yaml', 'agui: { run-timeout: 3s }'),
      }),
    );
    expect(propertiesOf(app)).toMatchObject({
      pathPrefix: '/agui',
      runTimeout: 3000,
    });
  });

  it('should come from a file that a relative AGUI_CONFIG_FILE names', async () => {
    write('other.yaml', 'agui: { path-prefix: /other }');
    vi.stubEnv('AGUI_CONFIG_FILE', 'other.yaml');
    const app = await start(AguiModule.forRoot());
    expect(propertiesOf(app).pathPrefix).toBe('/other');
  });

  it('should come from the .env file that ConfigModule reads', async () => {
    const envFilePath = write('.env', 'AGUI_PATH_PREFIX=/dot-env\n');
    // So that it is taken away again.
    vi.stubEnv('AGUI_PATH_PREFIX', undefined);
    const app = await start(
      ConfigModule.forRoot({ envFilePath }),
      AguiModule.forRoot(),
    );
    expect(propertiesOf(app).pathPrefix).toBe('/dot-env');
  });

  it('should be a namespace of ConfigService', async () => {
    vi.stubEnv('AGUI_PATH_PREFIX', '/environment');
    const app = await start(
      ConfigModule.forRoot({ ignoreEnvFile: true, load: [aguiConfig] }),
      AguiModule.forRoot(),
    );
    const config = app.app.get(ConfigService, { strict: false });
    expect(config.get('agui.pathPrefix')).toBe('/environment');
  });

  describe('should stop the start', () => {
    async function problemOf(
      root: NonNullable<
        ModuleMetadata['imports']
      >[number] = AguiModule.forRoot(),
    ): Promise<string> {
      const error = await start(root).then(
        () => expect.fail('It started.'),
        (reason: Error) => reason,
      );
      expect(error).toBeInstanceOf(AguiConfigurationError);
      return error.message;
    }

    it('for an unknown key in code', async () => {
      const given = { pathPreffix: '/x' } as object;
      for (const root of [
        AguiModule.forRoot(given),
        AguiModule.forRootAsync({ useFactory: () => given }),
      ])
        expect(await problemOf(root)).toContain(
          '"pathPreffix" is no option. The options are pathPrefix, corsEnabled, ',
        );
    });

    it.each(['AGUI_PATH_PREFFIX', 'AGENTSCOPE_AGUI_PATH_PREFFIX'])(
      'for the unknown key %s in the environment',
      async (name) => {
        vi.stubEnv(name, '/x');
        expect(await problemOf()).toContain(
          `The environment variable ${name} is no option. The options are AGUI_PATH_PREFIX, `,
        );
      },
    );

    it.each([['agui'], ['agentscope', 'agui']])(
      'for an unknown key in YAML',
      async (...path) => {
        const section = path.reduceRight<object>(
          (inner, name) => ({ [name]: inner }),
          { 'path-preffix': '/x' },
        );
        write('application.yaml', JSON.stringify(section));
        expect(await problemOf()).toContain(
          '"path-preffix" in application.yaml is no option. The options are path-prefix, ',
        );
      },
    );

    it.each([
      ['code', () => AguiModule.forRoot({ runTimeout: 'soon' })],
      [
        'the environment',
        () => {
          vi.stubEnv('AGUI_RUN_TIMEOUT', 'soon');
          return AguiModule.forRoot();
        },
      ],
      [
        'YAML',
        () => {
          write('application.yaml', 'agui: { run-timeout: soon }');
          return AguiModule.forRoot();
        },
      ],
    ])('for a bad value in %s', async (_where, root) => {
      expect(await problemOf(root())).toContain(
        `"runTimeout" (run-timeout in YAML, AGUI_RUN_TIMEOUT in the environment) is 'soon'; allowed: milliseconds, or a duration such as 500ms, 30s, 10m or 1h.`,
      );
    });

    it('but not for a bad value that another source overrides', async () => {
      vi.stubEnv('AGUI_RUN_TIMEOUT', 'soon');
      const app = await start(AguiModule.forRoot({ runTimeout: '1s' }));
      expect(propertiesOf(app).runTimeout).toBe(1000);
    });

    it('for a missing AGUI_CONFIG_FILE', async () => {
      vi.stubEnv('AGUI_CONFIG_FILE', 'missing.yaml');
      expect(await problemOf()).toMatch(
        /The file missing\.yaml cannot be read: ENOENT/,
      );
    });

    it('for a missing configFile', async () => {
      expect(
        await problemOf(AguiModule.forRoot({ configFile: 'missing.yaml' })),
      ).toContain('The file missing.yaml cannot be read');
    });

    it('for a broken file', async () => {
      write('application.yml', 'agui: { path-prefix: "/x');
      expect(await problemOf()).toContain(
        'The file application.yml cannot be read',
      );
    });
  });
});
