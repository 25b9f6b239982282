import { jsonSchema } from 'ai';
import { afterEach, describe, expect, it } from 'vitest';
import type { AguiModuleOptions } from 'nestjs-agui';
import {
  agentTool,
  AiSdkAgent,
  ToolSuspend,
  type AiSdkAgentOptions,
} from 'nestjs-agui/ai-sdk';
import { deferred } from './support/agents.js';
import { closeApps, PLATFORMS, serve } from './support/app.js';
import {
  inputOf,
  openStream,
  run,
  typesOf,
  type Received,
} from './support/client.js';
import { clientOf, CLIENTS, refuseComplaints } from './support/http-agents.js';
import { interruptsOf } from './support/interrupting.js';
import { calls, together, useMockModels } from './support/mock-models.js';
import { argumentsOf } from './support/model-run.js';

const models = useMockModels();
refuseComplaints();
afterEach(closeApps);

const noArguments = jsonSchema<object>({ type: 'object', properties: {} });

const look = (execute: () => unknown = () => 'seen') =>
  agentTool({ description: 'Looks', inputSchema: noArguments, execute });

/** An agent of its own model, as a tool. */
const helper = (name: string, options: Partial<AiSdkAgentOptions> = {}) =>
  new AiSdkAgent({ model: models.model(name), ...options }).asTool({
    name,
    description: `Helps with ${name}`,
  });

const asks = (name: string, task = 'Find out', id = `c-${name}`) =>
  calls(name, { task }, id);

const result = (events: readonly Received[], id: string) =>
  events.find(
    (one) => one.type === 'TOOL_CALL_RESULT' && one['toolCallId'] === id,
  );

const textOf = (events: readonly Received[]) =>
  events
    .filter(({ type }) => type === 'TEXT_MESSAGE_CONTENT')
    .map(({ delta }) => delta as string)
    .join('');

const toldTo = (model: string) =>
  models.lastTalk(model).map(({ role, content }) => [role, content]);

describe.each(PLATFORMS)('A subagent on %s', (platform) => {
  const start = (
    tools: AiSdkAgentOptions['tools'],
    options: AguiModuleOptions = {},
    agent: Partial<AiSdkAgentOptions> = {},
  ) =>
    serve(
      platform,
      new AiSdkAgent({ model: models.model(), tools, ...agent }),
      options,
    );

  function webWithTool() {
    models.script(asks('web', 'Find the moon'), 'The moon is far.');
    models.scriptOf(
      'web',
      { content: 'I look. ', ...calls('look', {}, 'w1') },
      'It is far.',
    );
    return {
      web: helper('web', { system: 'Research.', tools: { look: look() } }),
    };
  }

  it('should be given its task, and its last words be the result', async () => {
    const app = await start(webWithTool());
    const events = await run(app);
    expect(models.requests('web')[0]!.messages).toEqual([
      { role: 'system', content: 'Research.' },
      { role: 'user', content: 'Find the moon' },
    ]);
    expect(result(events, 'c-web')).toMatchObject({ content: 'It is far.' });
    expect(toldTo('main')).toEqual([
      ['user', 'Hi'],
      ['assistant', null],
      ['tool', 'It is far.'],
    ]);
    expect(textOf(events)).toBe('The moon is far.');
  });

  it('should appear as CUSTOM events by default', async () => {
    const app = await start(webWithTool());
    const events = await run(app);
    const custom = events.filter(({ type }) => type === 'CUSTOM');
    expect(custom.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'subagent.lifecycle',
        'subagent.text',
        'subagent.tool_call',
        'subagent.tool_result',
      ]),
    );
    for (const { value } of custom)
      expect(value).toMatchObject({ source: 'main/web' });
    expect(custom[0]!['value']).toMatchObject({ type: 'AGENT_START' });
    expect(custom.at(-1)!['value']).toMatchObject({ type: 'AGENT_END' });
    expect(
      custom
        .map(({ value }) => (value as { delta?: string }).delta ?? '')
        .join(''),
    ).toBe('I look. It is far.');
    expect(result(events, 'w1')).toBeUndefined();
  });

  it('should appear like the agent itself in native mode', async () => {
    const app = await start(webWithTool(), { subagentEvents: 'native' });
    const events = await run(app);
    expect(textOf(events)).toBe('I look. It is far.The moon is far.');
    expect(result(events, 'w1')).toMatchObject({ content: 'seen' });
    expect(typesOf(events).filter((type) => type.startsWith('RUN_'))).toEqual([
      'RUN_STARTED',
      'RUN_FINISHED',
    ]);
    expect(typesOf(events)).not.toContain('CUSTOM');
  });

  it.each(['native', 'attributed'] as const)(
    'should tell each call once, its own and those inside, in mode %s',
    async (subagentEvents) => {
      models.script(asks('web', 'Find the moon'), 'The moon is far.');
      models.scriptOf('web', calls('look', { at: 'moon' }, 'w1'), 'It is far.');
      const web = helper('web', { tools: { look: look() } });
      const events = await run(await start({ web }, { subagentEvents }));
      const started = events.filter(({ type }) => type === 'TOOL_CALL_START');
      expect(started.map(({ toolCallId }) => toolCallId)).toEqual([
        'c-web',
        'w1',
      ]);
      expect(argumentsOf(events)).toEqual({
        'c-web': '{"task":"Find the moon"}',
        w1: '{"at":"moon"}',
      });
    },
  );

  it.each(['native', 'attributed'] as const)(
    'should tell its calls apart from those of others that have the same ids, in mode %s',
    async (subagentEvents) => {
      models.script(
        together(
          asks('web', 'One', 'call_0'),
          asks('library', 'Two', 'call_1'),
        ),
        'Done.',
      );
      const seen = (name: string) => {
        models.scriptOf(
          name,
          calls('look', { at: name }, 'call_0'),
          `${name} done.`,
        );
        return helper(name, { tools: { look: look(() => `${name} seen`) } });
      };
      const app = await start(
        { web: seen('web'), library: seen('library') },
        { subagentEvents },
      );
      const events = await run(app);
      const told = events
        .filter(({ type }) => type === 'TOOL_CALL_START')
        .map(({ toolCallId: id }) => [
          argumentsOf(events)[id as string],
          result(events, id as string)?.['content'],
        ]);
      expect(Object.fromEntries(told)).toEqual({
        '{"task":"One"}': 'web done.',
        '{"task":"Two"}': 'library done.',
        '{"at":"web"}': 'web seen',
        '{"at":"library"}': 'library seen',
      });
      expect(events.at(-1)).not.toHaveProperty('outcome');
    },
  );

  it('should appear under its own id in attributed mode', async () => {
    const app = await start(webWithTool(), { subagentEvents: 'attributed' });
    const events = await run(app);
    const started = events.find(({ type }) => type === 'SUBAGENT_STARTED')!;
    expect(started).toMatchObject({ name: 'web', parentToolCallId: 'c-web' });
    const { subagentRunId } = started;
    const own = events.filter((one) => one['subagentRunId'] === subagentRunId);
    expect(textOf(own)).toBe('I look. It is far.');
    expect(result(own, 'w1')).toMatchObject({ content: 'seen' });
    expect(own.at(-1)).toEqual({ type: 'SUBAGENT_FINISHED', subagentRunId });
    const others = events.filter((one) => !('subagentRunId' in one));
    expect(textOf(others)).toBe('The moon is far.');
    expect(result(others, 'c-web')).toBeDefined();
    expect(events.indexOf(result(others, 'c-web')!)).toBeGreaterThan(
      events.indexOf(own.at(-1)!),
    );
  });

  it.each(['custom', 'native', 'attributed'] as const)(
    'should count what it cost, in mode %s',
    async (subagentEvents) => {
      const usage = (prompt_tokens: number, completion_tokens: number) => ({
        usage: { prompt_tokens, completion_tokens },
      });
      models.script(
        { ...asks('web'), ...usage(1, 2) },
        { content: 'Far.', ...usage(10, 20) },
      );
      models.scriptOf('web', { content: 'It is far.', ...usage(100, 200) });
      const app = await start(
        { web: helper('web') },
        { subagentEvents, emitTokenUsage: true },
      );
      const { usage: total } = (await run(app)).at(-1) as unknown as {
        usage: { model: string; inputTokens: number; outputTokens: number }[];
      };
      const counts = total.map(({ inputTokens, outputTokens }) => [
        inputTokens,
        outputTokens,
      ]);
      expect(Object.fromEntries(counts)).toEqual({ 100: 200, 11: 22 });
    },
  );

  it('should fail as a tool fails, and the run go on', async () => {
    models.script(asks('web'), 'I could not find out.');
    models.scriptOf('web', {
      error: { message: 'no such model at 10.0.0.7' },
      status: 400,
    });
    const app = await start(
      { web: helper('web') },
      { subagentEvents: 'attributed' },
    );
    const events = await run(app);
    const { subagentRunId } = events.find(
      ({ type }) => type === 'SUBAGENT_STARTED',
    )!;
    expect(events).toContainEqual({
      type: 'SUBAGENT_ERROR',
      subagentRunId,
      message: 'The tool "web" failed.',
    });
    expect(result(events, 'c-web')).toMatchObject({
      content: 'The tool "web" failed.',
      metadata: { 'agui.toolResultState': 'error' },
    });
    expect(JSON.stringify(events)).not.toContain('10.0.0.7');
    expect(events.at(-1)).toMatchObject({ type: 'RUN_FINISHED' });
    expect(textOf(events)).toBe('I could not find out.');
  });

  it('should work at the same time as others', async () => {
    const both = deferred();
    let waiting = 0;
    const meet = (text: string) => async () => {
      if (++waiting === 2) both.resolve();
      await both.promise;
      return text;
    };
    models.script(together(asks('web'), asks('library')), 'Both say so.');
    models.scriptOf('web', meet('The web says so.'));
    models.scriptOf('library', meet('The library says so.'));
    const app = await start(
      { web: helper('web'), library: helper('library') },
      { subagentEvents: 'attributed' },
    );
    const events = await run(app);
    const started = events.filter(({ type }) => type === 'SUBAGENT_STARTED');
    expect(new Set(started.map(({ name }) => name))).toEqual(
      new Set(['library', 'web']),
    );
    for (const { name, subagentRunId } of started) {
      const own = events.filter(
        (one) => one['subagentRunId'] === subagentRunId,
      );
      expect(textOf(own)).toBe(`The ${name as string} says so.`);
    }
    expect(result(events, 'c-web')).toMatchObject({
      content: 'The web says so.',
    });
    expect(result(events, 'c-library')).toMatchObject({
      content: 'The library says so.',
    });
  });

  it('should be told apart from itself when it is asked twice at once', async () => {
    models.script(
      together(asks('web', 'One', 'c1'), asks('web', 'Two', 'c2')),
      'Done.',
    );
    const echo = (request: { messages: { content?: string | null }[] }) =>
      `about ${request.messages.at(-1)!.content}`;
    models.scriptOf('web', echo, echo);
    const app = await start(
      { web: helper('web') },
      { subagentEvents: 'attributed' },
    );
    const events = await run(app);
    const started = events.filter(({ type }) => type === 'SUBAGENT_STARTED');
    const texts = started.map(({ subagentRunId, parentToolCallId }) => [
      parentToolCallId,
      textOf(events.filter((one) => one['subagentRunId'] === subagentRunId)),
    ]);
    expect(Object.fromEntries(texts)).toEqual({
      c1: 'about One',
      c2: 'about Two',
    });
    expect(result(events, 'c1')).toMatchObject({ content: 'about One' });
    expect(result(events, 'c2')).toMatchObject({ content: 'about Two' });
  });

  it('should have subagents of its own', async () => {
    models.script(asks('outer'), 'All done.');
    models.scriptOf('outer', asks('inner', 'Deeper'), 'Outer done.');
    models.scriptOf('inner', 'Inner done.');
    const outer = helper('outer', { tools: { inner: helper('inner') } });
    const app = await start({ outer }, { subagentEvents: 'attributed' });
    const events = await run(app);
    const [first, second] = events.filter(
      ({ type }) => type === 'SUBAGENT_STARTED',
    );
    expect(first).toMatchObject({ name: 'outer' });
    expect(first).not.toHaveProperty('parentSubagentRunId');
    expect(second).toMatchObject({
      name: 'inner',
      parentSubagentRunId: first!['subagentRunId'],
      parentToolCallId: 'c-inner',
    });
    expect(
      result(
        events.filter(
          (one) => one['subagentRunId'] === first!['subagentRunId'],
        ),
        'c-inner',
      ),
    ).toMatchObject({ content: 'Inner done.' });
    expect(result(events, 'c-outer')).toMatchObject({ content: 'Outer done.' });
  });

  it('should name the whole way to it', async () => {
    models.script(asks('outer'), 'All done.');
    models.scriptOf('outer', asks('inner', 'Deeper'), 'Outer done.');
    models.scriptOf('inner', 'Inner done.');
    const outer = helper('outer', { tools: { inner: helper('inner') } });
    const app = await start({ outer });
    const sources = (await run(app))
      .filter(({ type }) => type === 'CUSTOM')
      .map(({ value }) => (value as { source: string }).source);
    expect([...new Set(sources)]).toEqual(['main/outer', 'main/outer/inner']);
  });

  describe('that would have to ask somebody', () => {
    const REFUSED: [string, Partial<AiSdkAgentOptions>][] = [
      [
        'for consent, by its tool',
        { tools: { look: { ...look(), needsApproval: true } } },
      ],
      [
        'for consent, by its permission',
        { tools: { look: look() }, permission: () => 'ask' },
      ],
      [
        'to execute its tool',
        {
          tools: {
            look: look(() => {
              throw new ToolSuspend('Look, please');
            }),
          },
        },
      ],
    ];

    it.each(REFUSED)('%s should not do it', async (_what, options) => {
      models.script(asks('web'), 'It may not.');
      models.scriptOf('web', calls('look', {}, 'w1'), 'I may not.');
      const app = await start(
        { web: helper('web', options) },
        { subagentEvents: 'attributed' },
      );
      const events = await run(app);
      expect(interruptsOf(events)).toEqual([]);
      expect(models.lastTalk('web').at(-1)).toMatchObject({
        role: 'tool',
        content: expect.stringContaining('nothing was done') as string,
      });
      expect(result(events, 'w1')).toMatchObject({
        metadata: { 'agui.toolResultState': 'denied' },
      });
      expect(result(events, 'c-web')).toMatchObject({ content: 'I may not.' });
      expect(events.at(-1)).toMatchObject({ type: 'RUN_FINISHED' });
    });

    it('should have none of the tools by which it could', async () => {
      models.script(asks('web'), 'Done.');
      models.scriptOf('web', 'I have no tools.');
      const pick = { name: 'pick', description: 'Picks', parameters: {} };
      const ask = { name: 'ask', description: 'Asks', parameters: {} };
      const web = helper('web', {
        interruptTools: [ask],
        emitInterruptOutcome: true,
        shareState: true,
        tools: { elsewhere: { inputSchema: noArguments } },
      });
      const app = await start({ web });
      const events = await run(app, inputOf({ tools: [pick] }));
      expect(models.requests('web')[0]!.tools).toBeUndefined();
      expect(models.requests('main')[0]!.tools).toHaveLength(2);
      expect(typesOf(events)).not.toContain('STATE_SNAPSHOT');
    });
  });

  it('should stop when the run is stopped', async () => {
    const asked = deferred();
    const over = deferred<string>();
    models.script(asks('web'));
    models.scriptOf('web', () => {
      asked.resolve();
      return over.promise;
    });
    let stopped: AbortSignal | undefined;
    const inner = new AiSdkAgent({
      model: models.model('web'),
      system: ({ signal }) => {
        stopped = signal;
        return undefined;
      },
    });
    const web = inner.asTool({ name: 'web', description: 'Helps' });
    const app = await start({ web });
    const live = await openStream(app);
    await asked.promise;
    expect(stopped!.aborted).toBe(false);
    live.leave();
    await models.left('web');
    expect(stopped!.aborted).toBe(true);
    over.resolve('too late');
  });

  it.each(
    (['custom', 'attributed'] as const).flatMap((mode) =>
      CLIENTS.map(([name, Client]) => [mode, name, Client] as const),
    ),
  )(
    'should keep its talk to itself in the next run, in mode %s with %s',
    async (subagentEvents, _name, Client) => {
      models.script(asks('web'), 'The moon is far.', 'You are welcome.');
      models.scriptOf(
        'web',
        { content: 'I look. ', ...calls('look', {}, 'w1') },
        'It is far.',
      );
      const web = helper('web', { tools: { look: look() } });
      const app = await start({ web }, { subagentEvents });
      const client = clientOf(Client, app);
      await client.runAgent();
      client.addMessage({ id: 'u2', role: 'user', content: 'Thanks' });
      await client.runAgent();
      expect(toldTo('main')).toEqual([
        ['user', 'Hi'],
        ['assistant', null],
        ['tool', 'It is far.'],
        ['assistant', 'The moon is far.'],
        ['user', 'Thanks'],
      ]);
    },
  );
});
