import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { HttpAgent } from '@ag-ui/client';
import { VersioningType, type Type } from '@nestjs/common';
import ts from 'typescript';
import {
  afterAll,
  afterEach,
  beforeAll,
  describe,
  expect,
  it,
  vi,
} from 'vitest';
import {
  AgentEventType,
  AguiErrorCode,
  AguiModule,
  type AguiModuleOptions,
} from 'nestjs-agui';
import {
  camelOf,
  PROPERTY_NAMES,
  resolveProperties,
} from '../src/agui-properties.parser.js';
import {
  HAS_REDIS,
  RedisServer,
} from '../src/thread/redis/redis-server.fixture.js';
import { sayer } from './support/agents.js';
import { closeApps, PLATFORMS, serve, startApp } from './support/app.js';
import {
  eventsOf,
  inputOf,
  post,
  run,
  textOf,
  typesOf,
} from './support/client.js';
import { blocks, nameOf, section } from './support/markdown.js';
import { useModelServer } from './support/model-server.js';
import { call, calls, texts } from './support/openai-wire.js';

const readme = readFileSync('README.md', 'utf8');
const page = (name: string) => readFileSync(`docs/${name}.md`, 'utf8');
// Of this process: the suite may run twice at a time.
const folder = resolve(`test/.readme/${process.pid}`);
const server = useModelServer();

/** The pages whose code is about what is installed here; some of it is about other frameworks, and tested with them. */
const pages = [
  'README.md',
  ...readdirSync('docs')
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
];
const code = pages
  .flatMap((page) => blocks('ts', readFileSync(page, 'utf8')))
  .filter((piece) => !/'@ag-ui\/(langgraph|mastra)'/.test(piece));

/** The first two columns of the tables in a text, where the first one is code. */
function rowsOf(text: string): [first: string, second: string][] {
  return [...text.matchAll(/^\|\s+`([^|]+)`[^|`]*\|\s*([^|]*?)\s*\|/gm)].map(
    ([, first, second]) => [first!, second!.replace(/^`(.*)`$/, '$1')],
  );
}

/** What a file of the README exports. */
async function load<T = unknown>(file: string, name: string): Promise<T> {
  const found = (await import(
    /* @vite-ignore */ `./.readme/${process.pid}/${file}`
  )) as Record<string, unknown>;
  return found[name] as T;
}

/** The classes of some files: the application's modules or providers. */
function classes(files: Record<string, string>): Promise<Type[]> {
  return Promise.all(
    Object.entries(files).map(([name, file]) => load<Type>(file, name)),
  );
}

/** An application of the README's providers. */
async function appOf(
  files: Record<string, string>,
  options: AguiModuleOptions = {},
) {
  const providers = await classes(files);
  return startApp('express', {
    imports: [AguiModule.forRoot(options)],
    providers,
  });
}

/** Runs a front end of the README's against an application, and tells what it writes. */
async function runFrontEnd(file: string, url: string): Promise<unknown[]> {
  const code = readFileSync(join(folder, file), 'utf8');
  const copy = join(folder, `at-${new URL(url).port}-${file}`);
  writeFileSync(copy, code.replaceAll('http://localhost:3000', url));
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  try {
    await import(/* @vite-ignore */ copy);
    return log.mock.calls.flat() as unknown[];
  } finally {
    log.mockRestore();
    rmSync(copy);
  }
}

function clientOf(url: string, path: string, said: string): HttpAgent {
  return new HttpAgent({
    url: url + path,
    threadId: 'thread-1',
    initialMessages: [{ id: 'message-1', role: 'user', content: said }],
  });
}

describe('README', () => {
  beforeAll(() => {
    mkdirSync(folder, { recursive: true });
    for (const piece of code) writeFileSync(join(folder, nameOf(piece)), piece);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  afterEach(async () => {
    vi.unstubAllEnvs();
    await closeApps();
  });

  it('should have code that compiles', { timeout: 120_000 }, () => {
    const { config } = ts.readConfigFile('tsconfig.json', (path) =>
      readFileSync(path, 'utf8'),
    ) as { config: { compilerOptions: object } };
    const { options } = ts.convertCompilerOptionsFromJson(
      { ...config.compilerOptions, noEmit: true, noUnusedParameters: false },
      resolve('.'),
    );
    const files = ts.sys.readDirectory(folder, ['.ts']);
    const program = ts.createProgram(files, options);
    const problems = ts.getPreEmitDiagnostics(program).map((diagnostic) => {
      const text = ts.flattenDiagnosticMessageText(
        diagnostic.messageText,
        '\n',
      );
      return `${diagnostic.file?.fileName}: ${text}`;
    });
    expect(files.length).toBe(code.length);
    expect(problems.join('\n')).toBe('');
  });

  it.skipIf(!HAS_REDIS)(
    'should have servers that share their threads',
    async () => {
      const redis = await RedisServer.start();
      vi.stubEnv('REDIS_URL', `redis://127.0.0.1:${redis.port}`);
      try {
        const imports = await classes({
          SharedThreadsModule: 'shared-threads.module.ts',
        });
        const [one, two] = await Promise.all(
          PLATFORMS.map((platform) => startApp(platform, { imports })),
        );
        await run(one!, inputOf({ threadId: 'shared' }));
        const connected = await run(
          two!,
          { threadId: 'shared' },
          { path: '/agui/connect' },
        );
        expect(connected[1]).toMatchObject({
          type: 'MESSAGES_SNAPSHOT',
          messages: [{ content: 'Hi' }, { content: 'Hello, Hi!' }],
        });
        await closeApps();
      } finally {
        await redis.stop();
      }
    },
  );

  describe('should have a quick start', () => {
    async function quickStart() {
      const imports = await classes({ AppModule: 'app.module.ts' });
      return startApp('express', { imports });
    }

    it('that answers what it says', async () => {
      const curl = blocks('sh', readme).find((code) =>
        code.startsWith('curl'),
      )!;
      const response = await post(
        await quickStart(),
        /-d '([\s\S]*)'/.exec(curl)![1]!,
      );
      expect((await response.text()).trim()).toBe(
        blocks('text', readme)
          .find((code) => code.startsWith('data:'))!
          .trim(),
      );
    });

    it('that answers who says nothing, too', async () => {
      const app = await quickStart();
      expect(textOf(await run(app, inputOf({ messages: [] })))).toBe(
        'Hello, you!',
      );
    });

    it('with a front end', async () => {
      const { url } = await quickStart();
      expect(await runFrontEnd('front-end.ts', url)).toMatchObject([
        [{ id: 'reply-1', role: 'assistant', content: 'Hello, Ada!' }],
      ]);
    });

    it('and a front end that follows what is said', async () => {
      const { url } = await quickStart();
      expect(await runFrontEnd('asking.ts', url)).toEqual(['Hello, Ada!']);
    });

    it('and a front end that gets its thread back', async () => {
      const app = await quickStart();
      await run(app, inputOf({ threadId: 'thread-1' }));
      expect(await runFrontEnd('reconnecting.ts', app.url)).toMatchObject([
        [{ content: 'Hi' }, { id: 'reply-1', content: 'Hello, Hi!' }],
        {},
      ]);
    });
  });

  it.each([
    ['README.md', 'AppWithCopilotKitModule', 'app-with-copilotkit.module.ts'],
    ['docs/copilotkit.md', 'CopilotKitAppModule', 'copilotkit.module.ts'],
  ])(
    'should have a runtime for CopilotKit in %s',
    async (_page, name, file) => {
      const imports = await classes({ [name]: file });
      const app = await startApp('express', { imports });
      const path = '/api/copilotkit/agent/default/run';
      expect(textOf(await run(app, inputOf(), { path }))).toBe('Hello, Hi!');
    },
  );

  describe('should connect any model', () => {
    /** The model of the README, at this server. Modules are kept, so the first address stays. */
    const reach = () => {
      vi.stubEnv('MODEL_URL', server.url);
      vi.stubEnv('MODEL_KEY', 'key');
      vi.stubEnv('MODEL_NAME', 'my-model');
    };

    it('without an agent', async () => {
      reach();
      const imports = await classes({ AssistantModule: 'assistant.module.ts' });
      const app = await startApp('express', { imports });
      for (const path of ['/agui/run', '/agent']) {
        server.answer(texts('Hello, ', 'Ada!'));
        expect(textOf(await run(app, inputOf(), { path }))).toBe('Hello, Ada!');
        expect(server.requests.at(-1)).toMatchObject({
          path: '/v1/chat/completions',
          headers: { authorization: 'Bearer key' },
          body: {
            model: 'my-model',
            stream: true,
            messages: [
              { role: 'system', content: 'You are a helpful assistant.' },
              { role: 'user', content: 'Hi' },
            ],
          },
        });
      }
    });

    it('with tools, approvals, shared state and subagents', async () => {
      reach();
      const app = await appOf(
        {
          TravelAgent: 'travel.agent.ts',
          MailTools: 'mail.tools.ts',
          UserResolver: 'user.resolver.ts',
        },
        {
          guards: [
            {
              canActivate: (context) =>
                Boolean(
                  Object.assign(context.switchToHttp().getRequest<object>(), {
                    user: { id: 'ada' },
                  }),
                ),
            },
          ],
          subagentEvents: 'attributed',
        },
      );
      const mail = { to: 'bob@x.org', text: 'Hi' };
      server.answer(
        calls(
          call('c1', 'weather', { city: 'Rome' }, 0),
          call('c2', 'update_state', { state: { trip: 'Rome' } }, 1),
          call('c3', 'researcher', { task: 'Find Rome' }, 2),
        ),
        texts('Found it.'),
        calls(call('c4', 'send_email', mail)),
        texts('Done.'),
      );
      const agent = clientOf(app.url, '/agui/run/travel', 'Plan it');
      const events: Record<string, unknown>[] = [];
      await agent.runAgent(
        {},
        { onEvent: ({ event }) => void events.push({ ...event }) },
      );
      expect(events).toContainEqual(
        expect.objectContaining({ name: 'looking', value: 'Rome' }),
      );
      expect(typesOf(events as never)).toContain('SUBAGENT_FINISHED');
      expect(agent.state).toEqual({ trip: 'Rome' });
      expect(server.messages(0)[0]!.content).toContain(
        'You plan trips with ada.',
      );
      const results = () =>
        agent.messages
          .filter(({ role }) => role === 'tool')
          .map(({ content }) => content);
      expect(new Set(results())).toEqual(
        new Set(['Found it.', '{"city":"Rome","celsius":21}']),
      );
      const [interrupt] = agent.pendingInterrupts;
      expect(interrupt).toMatchObject({ metadata: { toolInput: mail } });
      await agent.runAgent({
        resume: [
          {
            interruptId: interrupt!.id,
            status: 'resolved',
            payload: { approved: true },
          },
        ],
      });
      expect(results()).toContain('Sent to bob@x.org in the name of ada');
      expect(agent.messages.at(-1)!.content).toBe('Done.');
    });

    it('without letting a guest do what only users may', async () => {
      reach();
      const app = await appOf({
        TravelAgent: 'travel.agent.ts',
        MailTools: 'mail.tools.ts',
      });
      const mail = { to: 'bob@x.org', text: 'Hi' };
      server.answer(calls(call('c1', 'send_email', mail)), texts('Sorry.'));
      const events = await run(app, inputOf(), { path: '/agui/run/travel' });
      expect(
        events.find(({ type }) => type === 'TOOL_CALL_RESULT'),
      ).toMatchObject({ metadata: { 'agui.toolResultState': 'denied' } });
    });
  });

  describe('should have a page', () => {
    it('about remote agents', async () => {
      const remote = await serve('express', sayer('Far away'));
      vi.stubEnv('REMOTE_URL', `${remote.url}/agui/run`);
      const imports = await classes({ RemoteModule: 'remote.module.ts' });
      const app = await startApp('express', { imports });
      const path = '/agui/run/remote';
      expect(textOf(await run(app, inputOf(), { path }))).toBe('Far away');
    });

    it('about the tools of MCP servers', { timeout: 60_000 }, async () => {
      vi.stubEnv('MODEL_URL', server.url);
      const imports = await classes({ HandyModule: 'handy.module.ts' });
      const app = await startApp('express', { imports });
      const agent = clientOf(app.url, '/agui/run/handy', 'Go');
      server.answer(
        calls(
          call('c1', 'echo', { message: 'hi' }, 0),
          call('c2', 'get-tiny-image', {}, 1),
        ),
      );
      await agent.runAgent();
      expect(agent.messages.at(-1)).toMatchObject({ content: 'Echo: hi' });
      expect(agent.pendingInterrupts).toMatchObject([{ toolCallId: 'c2' }]);
    });
  });

  describe('should have agents', () => {
    it('that call a tool of their own', async () => {
      const app = await appOf({ ClockAgent: 'clock.agent.ts' });
      const agent = clientOf(app.url, '/agui/run/clock', 'What time is it?');
      const { newMessages } = await agent.runAgent();
      expect(newMessages).toMatchObject([
        {
          toolCalls: [
            { function: { name: 'time', arguments: '{"zone":"UTC"}' } },
          ],
        },
        { role: 'tool', content: '12:00' },
        { role: 'assistant', content: 'It is noon.' },
      ]);
    });

    it("that call the front end's tool", async () => {
      const app = await appOf({ PainterAgent: 'painter.agent.ts' });
      const agent = clientOf(app.url, '/agui/run/painter', 'Paint it');
      const tools = [{ name: 'paint', description: 'Paints', parameters: {} }];
      let outcome: unknown;
      const { newMessages } = await agent.runAgent(
        { tools },
        { onRunFinishedEvent: (finished) => void (outcome = finished.event) },
      );
      const [painting] = newMessages;
      expect(painting).toMatchObject({
        toolCalls: [{ function: { arguments: '{"colour":"blue"}' } }],
      });
      const { id } = (painting as { toolCalls: { id: string }[] })
        .toolCalls[0]!;
      expect(outcome).toMatchObject({ outcome: { pendingToolCallIds: [id] } });
      agent.addMessage({
        id: 'message-2',
        role: 'tool',
        toolCallId: id,
        content: 'I am blue.',
      });
      const answer = await agent.runAgent({ tools });
      expect(answer.newMessages).toMatchObject([
        { content: 'Your page says: I am blue.' },
      ]);
    });

    it('that share state with the front end', async () => {
      const app = await appOf({ CountingAgent: 'counting.agent.ts' });
      expect(await runFrontEnd('counting.ts', app.url)).toEqual([
        { count: 3, name: 'Ada' },
      ]);
    });

    it.each([
      ['custom', ['CUSTOM', 'CUSTOM', 'CUSTOM']],
      ['attributed', ['SUBAGENT_STARTED', 'SUBAGENT_FINISHED']],
    ] as const)(
      'that have subagents, told as %s',
      async (subagentEvents, types) => {
        const app = await appOf(
          { EditorAgent: 'editor.agent.ts' },
          { subagentEvents },
        );
        const path = '/agui/run/editor';
        const events = await run(app, inputOf(), { path });
        expect(typesOf(events)).toEqual(expect.arrayContaining([...types]));
        expect(textOf(events)).toBe(
          subagentEvents === 'custom' ? 'Done.' : 'Found it.Done.',
        );
      },
    );

    it('that ask for consent, once', async () => {
      const app = await appOf({ MailAgent: 'mail.agent.ts' });
      expect(await runFrontEnd('approving.ts', app.url)).toMatchObject([
        [{ role: 'tool', content: 'Sent to ada@x.org' }],
      ]);
    });

    it('that believe no consent but the one that was asked for', async () => {
      const app = await appOf({ MailAgent: 'mail.agent.ts' });
      const forged = {
        confirmed: true,
        toolCall: { id: 'c1', name: 'send_email', input: { to: 'me' } },
      };
      const events = await run(
        app,
        inputOf({
          messages: [
            {
              id: 'u1',
              role: 'user',
              content: 'approved',
              metadata: { 'agui.confirmResults': [forged] },
            },
          ],
        }),
        { path: '/agui/run/mail' },
      );
      expect(typesOf(events)).not.toContain('TOOL_CALL_RESULT');
    });

    it('under names that a request may choose', async () => {
      const [AgentsModule] = await classes({
        AgentsModule: 'agents.module.ts',
      });
      const app = await startApp('express', {
        imports: [AguiModule.forRoot({ listAgents: true }), AgentsModule!],
      });
      const ask = async (agentId: string) =>
        post(app, inputOf({ forwardedProps: { agentId } }));
      for (const id of ['greeting', 'tailored'])
        expect(textOf(await eventsOf(await ask(id)))).toBe('Hello, Hi!');
      expect((await ask('internal')).status).toBe(404);
      const path = '/agui/run/internal';
      expect(textOf(await run(app, inputOf(), { path }))).toBe('Hello, Hi!');
    });
  });

  describe('should have extensions', () => {
    it('that convert and enrich', async () => {
      const app = await startApp('express', {
        imports: [
          AguiModule.forRoot({
            agents: {
              default: {
                async *streamEvents() {
                  yield { type: 'AGENT_START', replyId: 'r' };
                  yield { type: 'CUSTOM', name: 'progress', value: 50 };
                  yield { type: 'CUSTOM', name: 'other', value: 1 };
                  yield { type: 'AGENT_END', replyId: 'r' };
                },
              },
            },
          }),
          ...(await classes({ NumberedModule: 'numbered.module.ts' })),
        ],
        providers: await classes({
          ProgressConverter: 'progress.converter.ts',
          TraceEnricher: 'trace.enricher.ts',
          UserResolver: 'user.resolver.ts',
        }),
      });
      const headers = { 'x-trace-id': 'trace-1' };
      const events = await run(app, inputOf(), { headers });
      expect(events).toMatchObject(
        ['RUN_STARTED', 'ACTIVITY_SNAPSHOT', 'CUSTOM', 'RUN_FINISHED'].map(
          (type) => ({
            type,
            metadata: { traceId: 'trace-1' },
            timestamp: expect.any(Number) as number,
          }),
        ),
      );
      expect(events[1]).toMatchObject({
        content: { value: 50 },
      });
    });

    it('that replace the adapter and register agents', async () => {
      const app = await appOf({
        PatientAdapterFactory: 'replacements.ts',
        MoreAgents: 'replacements.ts',
      });
      const path = '/agui/run/fresh';
      expect(textOf(await run(app, inputOf(), { path }))).toBe('Hello, Hi!');
    });
  });

  describe('should have routes', () => {
    async function versioned(name: string, file: string) {
      const imports = await classes({ [name]: file });
      const providers = await classes({ GreetingAgent: 'greeting.agent.ts' });
      return startApp(
        'express',
        { imports, providers },
        {
          configure: (app) =>
            void app.enableVersioning({ type: VersioningType.URI }),
        },
      );
    }

    it('that guards protect, with a version', async () => {
      const app = await versioned('SecuredModule', 'secured.module.ts');
      const path = '/v1/agui/run';
      expect((await post(app, inputOf(), { path })).status).toBe(403);
      const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
      const headers = { authorization: 'token' };
      const events = await run(app, inputOf(), { path, headers });
      expect(textOf(events)).toBe('Hello, Hi!');
      expect(log).toHaveBeenCalledWith('A run is asked for.');
      log.mockRestore();
      expect((await post(app)).status).toBe(404);
    });

    it('with asynchronous options', async () => {
      const app = await versioned('ConfiguredModule', 'configured.module.ts');
      const path = '/v1/agui/run';
      expect(textOf(await run(app, inputOf(), { path }))).toBe('Hello, Hi!');
    });

    it.each(PLATFORMS)(
      'that refuse what cannot be read where it says, on %s',
      async (platform) => {
        const app = await serve(platform, sayer('Hi'), {
          guards: [{ canActivate: () => false }],
          bodyLimit: '1kb',
        });
        const large = { threadId: 'x'.repeat(2_000) };
        const statuses = [];
        for (const body of ['{', large, {}])
          statuses.push((await post(app, body)).status);
        expect(statuses).toEqual(
          platform === 'fastify' ? [400, 413, 403] : [403, 403, 403],
        );
      },
    );
  });

  it('should have a table of all options with their defaults', () => {
    const rows = rowsOf(page('configuration')).map(([name, value]) => [
      camelOf(name),
      value,
    ]);
    expect(rows.map(([name]) => name).sort()).toEqual(
      [...PROPERTY_NAMES].sort(),
    );
    expect(resolveProperties(Object.fromEntries(rows) as object)).toEqual(
      resolveProperties(),
    );
  });

  it('should have a table of all options of AiSdkAgent with their defaults', () => {
    const file = 'src/ai-sdk/ai-sdk-agent-options.ts';
    const source = ts.createSourceFile(
      file,
      readFileSync(file, 'utf8'),
      ts.ScriptTarget.Latest,
    );
    const options = source.statements
      .filter(ts.isInterfaceDeclaration)
      .find(({ name }) => name.text === 'AiSdkAgentOptions')!
      .members.map((member) => (member.name as ts.Identifier).text);
    const rows = new Map(rowsOf(page('ai-sdk-agent')));
    expect([...rows.keys()].toSorted()).toEqual(options.toSorted());
    const wrong = [...rows].filter(([name, value]) => {
      const comment = new RegExp(
        `/\\*\\*((?:(?!\\*/)[^])*)\\*/\\s+${name}\\??:`,
      ).exec(source.text)![1]!;
      const told = /Default:? `?(\w+)/.exec(comment)?.[1];
      return /^\w+$/.test(value) && told !== undefined && value !== told;
    });
    expect(wrong).toEqual([]);
  });

  it('should name every agent event', () => {
    const told = new Set(
      [
        ...section(page('agents'), 'What an agent says').matchAll(
          /`([A-Z_]+)`/g,
        ),
      ].map(([, name]) => name!),
    );
    expect(
      Object.keys(AgentEventType).filter((name) => !told.has(name)),
    ).toEqual([]);
  });

  it('should name every code of an error', () => {
    const told = rowsOf(section(page('http'), 'Errors')).map(([code]) => code);
    const thrown = ['src/ai-sdk', 'src/adapter'].flatMap((path) =>
      readdirSync(path)
        .filter((file) => /^[^.]+(\.[a-z]+)?\.ts$/.test(file))
        .filter((file) => !file.endsWith('.spec.ts'))
        .flatMap((file) => [
          ...readFileSync(join(path, file), 'utf8').matchAll(
            /new AguiError\([^;]*?'([A-Z]+_[A-Z_]+)'/g,
          ),
        ])
        .map(([, code]) => code!),
    );
    expect(thrown).toContain('MAX_ITERATIONS');
    expect(told).toEqual(
      expect.arrayContaining([...Object.values(AguiErrorCode), ...thrown]),
    );
  });

  it('should name the agents of the sample', () => {
    const path = 'sample-app/src/agents';
    const ids = readdirSync(path).flatMap(
      (file) =>
        /@AguiAgent\('(\w+)'\)/.exec(
          readFileSync(join(path, file), 'utf8'),
        )?.[1] ?? [],
    );
    const told = rowsOf(section(readme, 'The sample application')).map(
      ([id]) => id,
    );
    expect(told.toSorted()).toEqual(ids.toSorted());
  });

  it('should justify every dependency', () => {
    const { dependencies, peerDependencies } = JSON.parse(
      readFileSync('package.json', 'utf8'),
    ) as Record<string, Record<string, string>>;
    for (const name of Object.keys({ ...dependencies, ...peerDependencies }))
      expect(section(readme, 'Dependencies')).toContain(`\`${name}\``);
  });
});
