import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AguiConfigurationError, AguiModule } from 'nestjs-agui';
import { AiSdkAgentModule } from 'nestjs-agui/ai-sdk';
import { sayer } from './support/agents.js';
import { closeApps, PLATFORMS, startApp } from './support/app.js';
import { inputOf, run, typesOf } from './support/client.js';
import { calls, useMockModels } from './support/mock-models.js';

const models = useMockModels();
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ai-sdk-module-'));
  vi.spyOn(process, 'cwd').mockReturnValue(folder);
  for (const name of Object.keys(process.env))
    if (/^(AGENTSCOPE_AGUI|AGUI|AG_UI)_/.test(name))
      vi.stubEnv(name, undefined);
});

afterEach(async () => {
  await closeApps();
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const BOTH = `
agui:
  path-prefix: /ai
  ai-sdk:
    share-state: true
    state-updates: DELTA
`;

const SPRING_AI = 'ag-ui:\n  spring-ai:\n    share-state: true\n';

describe.each(PLATFORMS)(
  'Configuration of AiSdkAgentModule on %s',
  (platform) => {
    type Options = Partial<Parameters<typeof AiSdkAgentModule.forRoot>[0]>;

    const start = (options: Options = {}) =>
      startApp(platform, {
        imports: [
          AiSdkAgentModule.forRoot({ model: models.model(), ...options }),
        ],
      });

    /** The state events of a run in which the model changes the state. */
    async function stateEvents(options?: Options) {
      models.script(
        calls('update_state', { state: { n: 2 } }, 'c1'),
        'Changed.',
      );
      const app = await start(options);
      const input = inputOf({ state: { n: 1 } });
      const events = await run(app, input, { path: '/agent' });
      return typesOf(events).filter((type) => type.startsWith('STATE_'));
    }

    const write = (yaml: string, name = 'application.yaml') => {
      writeFileSync(join(folder, name), yaml);
      return join(folder, name);
    };

    describe.each([
      ['agui', 'ai-sdk'],
      ['ag-ui', 'spring-ai'],
    ])('%s.%s.', (root, section) => {
      const configured = (...lines: string[]) => {
        write(
          [
            `${root}:`,
            `  ${section}:`,
            ...lines.map((line) => `    ${line}`),
          ].join('\n'),
        );
        return stateEvents();
      };

      it.each([
        ['false', []],
        ['true', ['STATE_SNAPSHOT', 'STATE_SNAPSHOT']],
      ])('share-state: %s', async (value, events) => {
        expect(await configured(`share-state: ${value}`)).toEqual(events);
      });

      it.each([
        ['SNAPSHOT', ['STATE_SNAPSHOT', 'STATE_SNAPSHOT']],
        ['DELTA', ['STATE_SNAPSHOT', 'STATE_DELTA']],
      ])('state-updates: %s', async (value, events) => {
        expect(
          await configured('share-state: true', `state-updates: ${value}`),
        ).toEqual(events);
      });
    });

    it('should be off by default', async () => {
      expect(await stateEvents()).toEqual([]);
    });

    it('should come from YAML, beside that of AguiModule', async () => {
      write(BOTH);
      expect(await stateEvents()).toEqual(['STATE_SNAPSHOT', 'STATE_DELTA']);
    });

    it("should come from Spring AI's YAML", async () => {
      write(SPRING_AI);
      expect(await stateEvents()).toEqual(['STATE_SNAPSHOT', 'STATE_SNAPSHOT']);
    });

    it.each([
      ['AGUI_AI_SDK_SHARE_STATE', 'AGUI_AI_SDK_STATE_UPDATES'],
      ['AG_UI_SPRING_AI_SHARE_STATE', 'AG_UI_SPRING_AI_STATE_UPDATES'],
    ])('should come from %s and %s', async (shareState, stateUpdates) => {
      vi.stubEnv(shareState, 'true');
      vi.stubEnv(stateUpdates, 'DELTA');
      expect(await stateEvents()).toEqual(['STATE_SNAPSHOT', 'STATE_DELTA']);
    });

    it('should come from the file that AguiModule is told of', async () => {
      const configFile = write(BOTH, 'other.yaml');
      expect(await stateEvents({ agui: { configFile } })).toEqual([
        'STATE_SNAPSHOT',
        'STATE_DELTA',
      ]);
    });

    it("should come from the file that the application's own AguiModule is told of", async () => {
      const configFile = write(BOTH, 'other.yaml');
      models.script(
        calls('update_state', { state: { n: 2 } }, 'c1'),
        'Changed.',
      );
      const app = await startApp(platform, {
        imports: [
          AiSdkAgentModule.forRoot({ model: models.model(), agui: false }),
          AguiModule.forRootAsync({ useFactory: () => ({ configFile }) }),
        ],
      });
      const events = await run(app, inputOf(), { path: '/ai/run' });
      expect(typesOf(events)).toContain('STATE_DELTA');
    });

    it('should yield to options in code', async () => {
      write(BOTH);
      expect(await stateEvents({ stateUpdates: 'SNAPSHOT' })).toEqual([
        'STATE_SNAPSHOT',
        'STATE_SNAPSHOT',
      ]);
      expect(await stateEvents({ shareState: false })).toEqual([]);
    });

    it.each([
      [
        'agui:\n  ai-sdk:\n    share-state: perhaps\n',
        'agui.ai-sdk.share-state',
      ],
      [
        'ag-ui:\n  spring-ai:\n    sharestate: true\n',
        'ag-ui.spring-ai.sharestate',
      ],
    ])('should stop the start by %j', async (yaml, name) => {
      write(yaml);
      await expect(start()).rejects.toThrow(AguiConfigurationError);
      await expect(start()).rejects.toThrow(name);
    });

    it('should stop the start by a variable that there is not', async () => {
      vi.stubEnv('AGUI_AI_SDK_TEMPERATURE', '1');
      await expect(start()).rejects.toThrow('AGUI_AI_SDK_TEMPERATURE');
    });

    it('should not keep an application from starting that has no use for it', async () => {
      write(BOTH);
      vi.stubEnv('AGUI_AI_SDK_SHARE_STATE', 'true');
      const app = await startApp(platform, {
        imports: [AguiModule.forRoot({ agents: { default: sayer('Hi') } })],
      });
      expect(typesOf(await run(app, inputOf(), { path: '/ai/run' }))).toContain(
        'RUN_FINISHED',
      );
    });
  },
);
