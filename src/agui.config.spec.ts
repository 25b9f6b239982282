import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AguiConfigurationError } from './agui-properties.parser.js';
import { aguiConfig, readConfiguration } from './agui.config.js';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'agui-config-'));
  vi.spyOn(process, 'cwd').mockReturnValue(folder);
  for (const name of Object.keys(process.env))
    if (/^(AGENTSCOPE_)?AGUI_/.test(name)) vi.stubEnv(name, undefined);
});

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

function write(name: string, content: string): string {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}

describe('readConfiguration', () => {
  it('should be empty if nothing is configured', () => {
    expect(readConfiguration()).toEqual({});
    expect(aguiConfig()).toEqual({});
  });

  describe('from YAML', () => {
    it('should read kebab case under agui', () => {
      const file = write(
        'a.yaml',
        'agui:\n  path-prefix: /y\n  sse-timeout: 5s',
      );
      expect(readConfiguration(file)).toEqual({
        pathPrefix: '/y',
        sseTimeout: '5s',
      });
    });

    it('should read camel case', () => {
      const file = write('a.yaml', 'agui: { pathPrefix: /y }');
      expect(readConfiguration(file)).toEqual({ pathPrefix: '/y' });
    });

    it('should keep numbers, flags and lists', () => {
      const file = write(
        'a.yaml',
        `agui:
  max-thread-sessions: 5
  list-agents: true
  cors-allowed-origins:
    - https://a.example
`,
      );
      expect(readConfiguration(file)).toEqual({
        maxThreadSessions: 5,
        listAgents: true,
        corsAllowedOrigins: ['https://a.example'],
      });
    });

    it('should read agentscope.agui, and let agui win', () => {
      const file = write(
        'a.yaml',
        `agentscope:
  agui: { path-prefix: /starter, run-timeout: 5m }
  other: 1
agui: { path-prefix: /own }
server: { port: 1 }
`,
      );
      expect(readConfiguration(file)).toEqual({
        pathPrefix: '/own',
        runTimeout: '5m',
      });
    });

    it.each([
      ['an empty file', ''],
      ['other things only', 'server: { port: 1 }'],
      ['an empty section', 'agui:'],
      ['an empty starter section', 'agentscope:\n  agui:'],
      ['an empty starter', 'agentscope:'],
      ['sections of others with similar names', 'agui-gateway: 1\nAguila: 2'],
    ])('should take %s for nothing', (_what, content) => {
      expect(readConfiguration(write('a.yaml', content))).toEqual({});
    });

    it.each([
      ['agui: /agui', 'agui'],
      ['agui: [1]', 'agui'],
      ['agui: true', 'agui'],
      ['agentscope: { agui: 5 }', 'agentscope.agui'],
    ])('should refuse %s', (content, section) => {
      const file = write('a.yaml', content);
      expect(() => readConfiguration(file)).toThrow(AguiConfigurationError);
      expect(() => readConfiguration(file)).toThrow(
        `"${section}" in ${file} must be a mapping of options`,
      );
    });

    it.each([
      ['a text', 'hello', "'hello'"],
      ['a list', '- agui: {}', '[ { agui: {} } ]'],
      ['a number', '5', '5'],
    ])('should refuse a file that is %s', (_what, content, shown) => {
      const file = write('a.yaml', content);
      expect(() => readConfiguration(file)).toThrow(AguiConfigurationError);
      expect(() => readConfiguration(file)).toThrow(
        `The file ${file} must have a mapping with a section "agui"; it has ${shown}.`,
      );
    });

    it.each([
      ['agui.path-prefix: /y', 'agui.path-prefix', 'agui:'],
      ['AGUI: { path-prefix: /y }', 'AGUI', 'agui:'],
      ['Agui.pathPrefix: /y', 'Agui.pathPrefix', 'agui:'],
      ['agentscope.agui: { path-prefix: /y }', 'agentscope.agui', 'agui:'],
      [
        'agentscope: { agui.path-prefix: /y }',
        'agentscope.agui.path-prefix',
        'agentscope.agui:',
      ],
      ['agentscope: { AGUI: {} }', 'agentscope.AGUI', 'agentscope.agui:'],
    ])('should refuse %s, which nobody reads', (content, key, remedy) => {
      const file = write('a.yaml', content);
      expect(() => readConfiguration(file)).toThrow(AguiConfigurationError);
      expect(() => readConfiguration(file)).toThrow(
        `"${key}" in ${file} is read by nobody. Options stand in a section, one below the other: ${remedy}`,
      );
    });

    it('should refuse one option in two spellings', () => {
      const file = write('a.yaml', 'agui: { path-prefix: /a, pathPrefix: /b }');
      expect(() => readConfiguration(file)).toThrow(
        `"path-prefix" and "pathPrefix" in ${file} are one option; give it once.`,
      );
    });

    it.each([
      'agui: &own { path-prefix: *own }',
      'agui: { path-prefix: &own [*own] }',
    ])('should refuse %s', (content) => {
      const file = write('a.yaml', content);
      expect(() => readConfiguration(file)).toThrow(
        `"path-prefix" in ${file} contains itself, by an alias.`,
      );
    });

    it('should read aliases', () => {
      const file = write(
        'a.yaml',
        'own: &own [https://a.example]\nagui: { cors-allowed-origins: *own }',
      );
      expect(readConfiguration(file)).toEqual({
        corsAllowedOrigins: ['https://a.example'],
      });
    });

    it('should name a key that is no option, and the file', () => {
      const file = write('a.yaml', 'agui: { path-preffix: /y }');
      expect(() => readConfiguration(file)).toThrow(AguiConfigurationError);
      expect(() => readConfiguration(file)).toThrow(
        `"path-preffix" in ${file} is no option. The options are path-prefix, cors-enabled,`,
      );
    });

    it('should name a file that is broken', () => {
      const file = write('a.yaml', 'agui: [');
      expect(() => readConfiguration(file)).toThrow(AguiConfigurationError);
      expect(() => readConfiguration(file)).toThrow(
        `The file ${file} cannot be read: `,
      );
    });

    it('should name a file that is missing', () => {
      expect(() => readConfiguration('none.yaml')).toThrow(
        /The file none\.yaml cannot be read: ENOENT/,
      );
    });

    it.each(['application.yaml', 'application.yml'])(
      'should find %s where the process was started',
      (name) => {
        write(name, 'agui: { path-prefix: /found }');
        expect(readConfiguration()).toEqual({ pathPrefix: '/found' });
      },
    );

    it('should prefer application.yaml to application.yml', () => {
      write('application.yml', 'agui: { path-prefix: /yml }');
      write('application.yaml', 'agui: { path-prefix: /yaml }');
      expect(readConfiguration()).toEqual({ pathPrefix: '/yaml' });
    });

    it('should prefer AGUI_CONFIG_FILE', () => {
      write('application.yaml', 'agui: { path-prefix: /default }');
      write('other.yaml', 'agui: { path-prefix: /other }');
      vi.stubEnv('AGUI_CONFIG_FILE', 'other.yaml');
      expect(readConfiguration()).toEqual({ pathPrefix: '/other' });
    });

    it('should say what to do with a file of several documents', () => {
      write('application.yaml', 'agui: {}\n---\nother: {}\n');
      expect(() => readConfiguration()).toThrow(
        'The file application.yaml has several YAML documents; keep the options in a file of one document, and name it in AGUI_CONFIG_FILE.',
      );
    });

    it('should stop at an AGUI_CONFIG_FILE that is missing', () => {
      write('application.yaml', 'agui: { path-prefix: /default }');
      vi.stubEnv('AGUI_CONFIG_FILE', 'other.yaml');
      expect(() => readConfiguration()).toThrow('The file other.yaml');
    });

    it('should take an empty AGUI_CONFIG_FILE for none', () => {
      write('application.yaml', 'agui: { path-prefix: /default }');
      vi.stubEnv('AGUI_CONFIG_FILE', '');
      expect(readConfiguration()).toEqual({ pathPrefix: '/default' });
    });

    it('should prefer the file it is given', () => {
      vi.stubEnv(
        'AGUI_CONFIG_FILE',
        write('a.yaml', 'agui: { list-agents: 1 }'),
      );
      const file = write('b.yaml', 'agui: { path-prefix: /given }');
      expect(readConfiguration(file)).toEqual({ pathPrefix: '/given' });
    });
  });

  describe('from the environment', () => {
    it('should read AGUI_ variables as they are', () => {
      vi.stubEnv('AGUI_PATH_PREFIX', '/e');
      vi.stubEnv('AGUI_MAX_THREAD_SESSIONS', '7');
      expect(readConfiguration()).toEqual({
        pathPrefix: '/e',
        maxThreadSessions: '7',
      });
    });

    it('should read AGENTSCOPE_AGUI_ variables, and let AGUI_ win', () => {
      vi.stubEnv('AGUI_PATH_PREFIX', '/own');
      vi.stubEnv('AGENTSCOPE_AGUI_PATH_PREFIX', '/starter');
      vi.stubEnv('AGENTSCOPE_AGUI_RUN_TIMEOUT', '5m');
      expect(readConfiguration()).toEqual({
        pathPrefix: '/own',
        runTimeout: '5m',
      });
    });

    it('should win over YAML', () => {
      write(
        'application.yaml',
        'agui: { path-prefix: /yaml, list-agents: true }',
      );
      vi.stubEnv('AGENTSCOPE_AGUI_PATH_PREFIX', '/environment');
      expect(readConfiguration()).toEqual({
        pathPrefix: '/environment',
        listAgents: true,
      });
    });

    it.each(['AGUI_PATH_PREFFIX', 'AGENTSCOPE_AGUI_PATH_PREFFIX'])(
      'should name %s, which is no option',
      (name) => {
        vi.stubEnv(name, '/e');
        expect(() => readConfiguration()).toThrow(AguiConfigurationError);
        expect(() => readConfiguration()).toThrow(
          `The environment variable ${name} is no option. The options are AGUI_PATH_PREFIX, `,
        );
      },
    );

    it('should not mind what containers are told of a service called agui', () => {
      for (const name of [
        'AGUI_SERVICE_HOST',
        'AGUI_SERVICE_PORT',
        'AGUI_SERVICE_PORT_HTTP',
        'AGUI_PORT',
        'AGUI_PORT_3000_TCP',
        'AGUI_PORT_3000_TCP_ADDR',
        'AGUI_PORT_53_UDP_PROTO',
        'AGUI_BACKEND_SERVICE_HOST',
        'AGUI_BACKEND_PORT_3000_TCP',
      ])
        vi.stubEnv(name, '10.0.0.1');
      expect(readConfiguration()).toEqual({});
    });

    it.each(['AGUI_EXPORT', 'AGUI_SERVICE', 'AGUI_PORTS', 'AGUI_PORT_NUMBER'])(
      'should mind %s',
      (name) => {
        vi.stubEnv(name, '1');
        expect(() => readConfiguration()).toThrow(AguiConfigurationError);
      },
    );

    it('should leave other variables alone', () => {
      vi.stubEnv('MY_AGUI_PATH', '/e');
      vi.stubEnv('AGUIX', 'x');
      expect(readConfiguration()).toEqual({});
    });
  });
});

describe('aguiConfig', () => {
  it('should be a configuration namespace', () => {
    expect(aguiConfig.KEY).toBe('CONFIGURATION(agui)');
    expect(aguiConfig.asProvider()).toMatchObject({
      inject: ['CONFIGURATION(agui)'],
    });
  });
});
