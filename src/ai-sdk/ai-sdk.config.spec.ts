import { inspect } from 'node:util';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AguiConfigurationError } from '../agui-properties.parser.js';
import { aiSdkConfig } from './ai-sdk.config.js';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ai-sdk-config-'));
  vi.spyOn(process, 'cwd').mockReturnValue(folder);
  for (const name of Object.keys(process.env))
    if (/^(AGUI|AG_UI)_/.test(name)) vi.stubEnv(name, undefined);
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

function write(content: string, name = 'application.yaml'): string {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}

describe('aiSdkConfig', () => {
  it('should be nothing if nothing is configured', () => {
    expect(aiSdkConfig()).toEqual({});
    write('agui:\n  path-prefix: /ai\nother: 1\n');
    expect(aiSdkConfig()).toEqual({});
  });

  it.each([
    ['agui.ai-sdk', 'agui:\n  ai-sdk:\n'],
    ["Spring AI's ag-ui.spring-ai", 'ag-ui:\n  spring-ai:\n'],
  ])('should come from %s in YAML', (_what, head) => {
    write(`${head}    share-state: true\n    state-updates: DELTA\n`);
    expect(aiSdkConfig()).toEqual({ shareState: true, stateUpdates: 'DELTA' });
  });

  it.each(['AGUI_AI_SDK_', 'AG_UI_SPRING_AI_'])(
    'should come from %s… in the environment',
    (prefix) => {
      vi.stubEnv(`${prefix}SHARE_STATE`, 'true');
      vi.stubEnv(`${prefix}STATE_UPDATES`, 'SNAPSHOT');
      expect(aiSdkConfig()).toEqual({
        shareState: true,
        stateUpdates: 'SNAPSHOT',
      });
    },
  );

  it('should come from the environment before YAML, and under our name before Spring AI’s', () => {
    write(`
ag-ui:
  spring-ai:
    share-state: true
    state-updates: DELTA
agui:
  ai-sdk:
    share-state: false
`);
    expect(aiSdkConfig()).toEqual({ shareState: false, stateUpdates: 'DELTA' });
    vi.stubEnv('AG_UI_SPRING_AI_SHARE_STATE', 'true');
    vi.stubEnv('AG_UI_SPRING_AI_STATE_UPDATES', 'DELTA');
    expect(aiSdkConfig().shareState).toBe(true);
    vi.stubEnv('AGUI_AI_SDK_STATE_UPDATES', 'SNAPSHOT');
    expect(aiSdkConfig()).toEqual({
      shareState: true,
      stateUpdates: 'SNAPSHOT',
    });
  });

  it('should come from the file that is named, before AGUI_CONFIG_FILE, before the one that is there', () => {
    const yaml = (mode: string) =>
      `agui:\n  ai-sdk:\n    state-updates: ${mode}\n`;
    write('agui:\n  ai-sdk:\n    share-state: true\n');
    const configured = write(yaml('DELTA'), 'configured.yaml');
    const named = write(yaml('SNAPSHOT'), 'named.yaml');
    expect(aiSdkConfig()).toEqual({ shareState: true });
    vi.stubEnv('AGUI_CONFIG_FILE', configured);
    expect(aiSdkConfig()).toEqual({ stateUpdates: 'DELTA' });
    expect(aiSdkConfig(named)).toEqual({ stateUpdates: 'SNAPSHOT' });
  });

  const WRONG: [string, string, string][] = [
    [
      'agui.ai-sdk.share-state',
      'agui:\n  ai-sdk:\n    share-state: maybe',
      "'maybe'",
    ],
    ['agui.ai-sdk.share-state', 'agui:\n  ai-sdk:\n    share-state: 1', '1'],
    ['agui.ai-sdk.share-state', 'agui:\n  ai-sdk:\n    share-state:', 'null'],
    [
      'ag-ui.spring-ai.state-updates',
      'ag-ui:\n  spring-ai:\n    state-updates: delta',
      "'delta'",
    ],
    [
      'agui.ai-sdk.share-stat',
      'agui:\n  ai-sdk:\n    share-stat: true',
      'true',
    ],
    [
      'agui.ai-sdk.constructor',
      'agui:\n  ai-sdk:\n    constructor: true',
      'true',
    ],
    ['agui.ai-sdk.0', 'agui:\n  ai-sdk:\n    - share-state', "'share-state'"],
  ];

  it.each(WRONG)('should not take %s from %j', (name, yaml, value) => {
    write(yaml);
    expect(() => aiSdkConfig()).toThrow(AguiConfigurationError);
    expect(() => aiSdkConfig()).toThrow(
      `"${name}" is ${value}; allowed: share-state true or false, state-updates SNAPSHOT or DELTA.`,
    );
  });

  it.each([
    ['AGUI_AI_SDK_SHARE_STATE', 'yes'],
    ['AG_UI_SPRING_AI_STATE_UPDATES', ''],
    ['AGUI_AI_SDK_MODEL', 'gpt'],
  ])('should not take %s=%j', (name, value) => {
    vi.stubEnv(name, value);
    expect(() => aiSdkConfig()).toThrow(`"${name}" is ${inspect(value)}`);
  });
});
