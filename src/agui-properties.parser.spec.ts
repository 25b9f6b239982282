import { describe, expect, it } from 'vitest';
import {
  AguiConfigurationError,
  camelOf,
  environmentNameOf,
  kebabOf,
  PROPERTY_NAMES,
  resolveProperties,
} from './agui-properties.parser.js';
import { AguiProperties } from './agui.properties.js';

interface Expected {
  default: unknown;
  /** As given, and as read. */
  reads: [unknown, unknown][];
  refuses: unknown[];
  allowed: string;
}

const flag = (byDefault: boolean): Expected => ({
  default: byDefault,
  reads: [
    [true, true],
    [false, false],
    ['true', true],
    ['false', false],
  ],
  refuses: ['yes', '', 1, 0, null, 'TRUE', []],
  allowed: 'true or false',
});

const duration = (byDefault: number): Expected => ({
  default: byDefault,
  reads: [
    [0, 0],
    ['0', 0],
    [1234, 1234],
    ['1234', 1234],
    ['90s', 90_000],
    ['2m', 120_000],
  ],
  refuses: [-1, '-1s', 'soon', '', Number.POSITIVE_INFINITY, 2 ** 31, true, 5n],
  allowed: 'milliseconds, or a duration such as 500ms, 30s, 10m or 1h',
});

const EXPECTED: Record<keyof AguiProperties, Expected> = {
  pathPrefix: {
    default: '/agui',
    reads: [
      ['/agui', '/agui'],
      ['agui', 'agui'],
      ['/', '/'],
      ['/api/v1.1/ag-ui/', '/api/v1.1/ag-ui/'],
      ['/.well-known/agui', '/.well-known/agui'],
    ],
    refuses: [
      '',
      '//',
      '/a//b',
      '.',
      '..',
      '/../a',
      '/a/..',
      '/with space',
      '/a?b',
      '/:id',
      5,
      null,
      ['/a'],
    ],
    allowed: 'a path such as /agui',
  },
  corsEnabled: flag(true),
  corsAllowedOrigins: {
    default: ['*'],
    reads: [
      [['https://a.example'], ['https://a.example']],
      [
        'https://a.example, http://localhost:3000,',
        ['https://a.example', 'http://localhost:3000'],
      ],
      ['*', ['*']],
      ['', []],
      [
        ['capacitor://localhost', 'null'],
        ['capacitor://localhost', 'null'],
      ],
    ],
    refuses: [
      5,
      null,
      [5],
      ['a.example'],
      'https://a.example/',
      'https://*.example',
      ['https://a.example/app'],
    ],
    allowed: 'a list of origins such as https://app.example.com, or *',
  },
  runTimeout: duration(600_000),
  defaultToolMergeMode: {
    default: 'MERGE_FRONTEND_PRIORITY',
    reads: [
      ['FRONTEND_ONLY', 'FRONTEND_ONLY'],
      ['AGENT_ONLY', 'AGENT_ONLY'],
      ['MERGE_FRONTEND_PRIORITY', 'MERGE_FRONTEND_PRIORITY'],
    ],
    refuses: ['', 'BOTH', true, null],
    allowed: 'one of MERGE_FRONTEND_PRIORITY, FRONTEND_ONLY, AGENT_ONLY',
  },
  emitStateEvents: flag(true),
  emitToolCallArgs: flag(true),
  emitTokenUsage: flag(false),
  enableReasoning: flag(false),
  emitRunFinishedAfterError: flag(false),
  subagentEvents: {
    default: 'custom',
    reads: [
      ['custom', 'custom'],
      ['native', 'native'],
      ['attributed', 'attributed'],
    ],
    refuses: ['', 'CUSTOM', true, null],
    allowed: 'one of custom, native, attributed',
  },
  emitSubagentEventsAsNative: flag(false),
  baseEventPropertiesEnricherEnabled: flag(false),
  exposeErrors: flag(false),
  logPayloads: flag(false),
  defaultAgentId: {
    default: 'default',
    reads: [
      ['chat', 'chat'],
      ['two words', 'two words'],
    ],
    refuses: ['', '  ', 5, null],
    allowed: 'the id of an agent',
  },
  serveUndecoratedAgents: flag(true),
  agentIdHeader: {
    default: 'X-Agent-Id',
    reads: [
      ['x-my-agent', 'x-my-agent'],
      ['Agent', 'Agent'],
      ['Hostess', 'Hostess'],
    ],
    refuses: [
      '',
      'X Agent',
      'X-Agent:',
      'Content-Type',
      'host',
      'AUTHORIZATION',
      'Accept-Language',
      5,
      null,
    ],
    allowed: 'the name of a header with no other meaning',
  },
  enablePathRouting: flag(true),
  listAgents: flag(false),
  serverSideMemory: flag(false),
  divergence: {
    default: 'truncate',
    reads: [
      ['truncate', 'truncate'],
      ['reject', 'reject'],
    ],
    refuses: ['', 'REJECT', true, null],
    allowed: 'one of truncate, reject',
  },
  concurrentRuns: {
    default: 'reject',
    reads: [
      ['reject', 'reject'],
      ['queue', 'queue'],
      ['cancel-previous', 'cancel-previous'],
    ],
    refuses: ['', 'cancelPrevious', true, null],
    allowed: 'one of reject, queue, cancel-previous',
  },
  eventLogLimit: {
    default: 1_048_576,
    reads: [
      [1024, 1024],
      ['1024', 1024],
      ['512kb', 524_288],
    ],
    refuses: [0, -1, 'big', '', null, true],
    allowed: 'bytes, or a size such as 512kb or 10mb',
  },
  maxThreadMemory: {
    default: 268_435_456,
    reads: [
      [1024, 1024],
      ['1024', 1024],
      ['1gb', 1_073_741_824],
    ],
    refuses: [0, -1, 'big', '', null, true],
    allowed: 'bytes, or a size such as 512kb or 10mb',
  },
  maxThreadSessions: {
    default: 1000,
    reads: [
      [1, 1],
      ['5', 5],
      [10_000_000, 10_000_000],
    ],
    refuses: [0, -1, 1.5, '1.5', 'many', '', 10_000_001, null, true],
    allowed: 'a whole number from 1 to 10000000',
  },
  sessionTimeoutMinutes: {
    default: 30,
    reads: [
      [1, 1],
      ['60', 60],
    ],
    refuses: [0, -1, 1.5, '30m', '', 525_601, null],
    allowed: 'a whole number from 1 to 525600',
  },
  sseTimeout: duration(600_000),
  slowClientTimeout: duration(120_000),
  interruptOnDisconnect: flag(true),
  heartbeatInterval: duration(15_000),
  bodyLimit: {
    default: 10_485_760,
    reads: [
      [1024, 1024],
      ['1024', 1024],
      ['512kb', 524_288],
    ],
    refuses: [0, -1, 'big', '', null, true],
    allowed: 'bytes, or a size such as 512kb or 10mb',
  },
  bodyTimeout: duration(120_000),
  allowedMediaSchemes: {
    default: ['https', 'data'],
    reads: [
      [
        ['https', 'http'],
        ['https', 'http'],
      ],
      ['https, gs', ['https', 'gs']],
      ['', []],
    ],
    refuses: [5, null, ['https:'], ['HTTPS'], 'http://', [5]],
    allowed: 'a list of URL schemes such as https, data, in small letters',
  },
  shutdownGrace: duration(5_000),
};

function problemOf(key: string, value: unknown): string {
  return messageOf({ [key]: value });
}

function messageOf(source: object): string {
  try {
    resolveProperties(source);
  } catch (error) {
    if (error instanceof AguiConfigurationError) return error.message;
    throw error;
  }
  return 'no problem';
}

describe('resolveProperties', () => {
  it('should know every property, and no other', () => {
    expect(Object.keys(EXPECTED).toSorted()).toEqual(PROPERTY_NAMES.toSorted());
  });

  describe.each(Object.entries(EXPECTED))('%s', (key, expected) => {
    it('should have its default', () => {
      expect(resolveProperties()).toHaveProperty(key, expected.default);
      expect(resolveProperties({ [key]: undefined })).toHaveProperty(
        key,
        expected.default,
      );
    });

    it.each(expected.reads)('should read %o as %o', (given, read) => {
      expect(resolveProperties({ [key]: given })).toHaveProperty(key, read);
    });

    it.each(expected.refuses.map((value) => [value]))(
      'should refuse %o and say what is allowed',
      (value) => {
        const problem = problemOf(key, value);
        expect(problem).toContain(`"${key}"`);
        expect(problem).toContain(kebabOf(key));
        expect(problem).toContain(environmentNameOf(key));
        expect(problem).toContain(`allowed: ${expected.allowed}`);
      },
    );
  });

  it('should let later sources win', () => {
    const { pathPrefix, runTimeout, listAgents } = resolveProperties(
      { pathPrefix: '/a', runTimeout: 1, listAgents: 'true' },
      { pathPrefix: '/b', runTimeout: undefined },
    );
    expect({ pathPrefix, runTimeout, listAgents }).toEqual({
      pathPrefix: '/b',
      runTimeout: 1,
      listAgents: true,
    });
  });

  it('should return properties of its own', () => {
    const origins = ['https://a.example'];
    const properties = resolveProperties({ corsAllowedOrigins: origins });
    expect(properties).toBeInstanceOf(AguiProperties);
    expect(properties.corsAllowedOrigins).not.toBe(origins);
  });

  it('should name every wrong key and its value at once', () => {
    const lines = messageOf({
      pathPreffix: '/x',
      runTimeout: 'soon',
      maxThreadSessions: 0,
    }).split('\n');
    expect(lines).toEqual([
      'AguiModule is configured wrongly:',
      `- "pathPreffix" is no option. The options are ${PROPERTY_NAMES.join(', ')}.`,
      expect.stringContaining(
        '- "runTimeout" (run-timeout in YAML, AGUI_RUN_TIMEOUT in the environment) is \'soon\'; allowed: milli',
      ),
      expect.stringContaining('is 0; allowed: a whole number'),
    ]);
  });

  it.each([
    [Number.POSITIVE_INFINITY, 'Infinity'],
    [10n, '10n'],
    ['text', "'text'"],
    [null, 'null'],
    [['a', 1], "[ 'a', 1 ]"],
  ])('should show the value %o as it is', (value, shown) => {
    expect(problemOf('runTimeout', value)).toContain(`is ${shown};`);
  });

  it.each(['constructor', 'toString', '__proto__'])(
    'should not take %s for an option',
    (name) => {
      const source = JSON.parse(`{ "${name}": "x" }`) as object;
      expect(messageOf(source)).toContain(`"${name}" is no option.`);
    },
  );

  describe('emitSubagentEventsAsNative', () => {
    it('should make subagents native', () => {
      expect(
        resolveProperties({ emitSubagentEventsAsNative: 'true' })
          .subagentEvents,
      ).toBe('native');
    });

    it('should give way to subagentEvents', () => {
      expect(
        resolveProperties(
          { subagentEvents: 'attributed' },
          { emitSubagentEventsAsNative: true },
        ).subagentEvents,
      ).toBe('attributed');
    });

    it('should not give way to a subagentEvents that is undefined', () => {
      expect(
        resolveProperties({
          emitSubagentEventsAsNative: true,
          subagentEvents: undefined,
        }).subagentEvents,
      ).toBe('native');
    });
  });
});

describe('names', () => {
  it.each([
    ['pathPrefix', 'path-prefix', 'AGUI_PATH_PREFIX'],
    [
      'emitSubagentEventsAsNative',
      'emit-subagent-events-as-native',
      'AGUI_EMIT_SUBAGENT_EVENTS_AS_NATIVE',
    ],
    ['sseTimeout', 'sse-timeout', 'AGUI_SSE_TIMEOUT'],
  ])('should write %s as %s and %s', (name, kebab, variable) => {
    expect(kebabOf(name)).toBe(kebab);
    expect(camelOf(kebab)).toBe(name);
    expect(environmentNameOf(name)).toBe(variable);
  });

  it('should come back from every form', () => {
    for (const name of PROPERTY_NAMES)
      expect(camelOf(kebabOf(name))).toBe(name);
  });
});
