import { HttpAgent } from '@ag-ui/client';
import { jsonSchema } from 'ai';
import { afterEach, describe, expect, it } from 'vitest';
import {
  agentTool,
  AiSdkAgent,
  type AiSdkAgentOptions,
} from 'nestjs-agui/ai-sdk';
import { closeApps, PLATFORMS, serve } from './support/app.js';
import { inputOf, run, typesOf, type Received } from './support/client.js';
import { clientOf, CLIENTS, refuseComplaints } from './support/http-agents.js';
import { answer, interruptsOf, resume } from './support/interrupting.js';
import { MAIL, mailer } from './support/mailer.js';
import { calls, together, useMockModels } from './support/mock-models.js';

const models = useMockModels();
refuseComplaints();
afterEach(closeApps);

const update = (state: unknown, id = 'c1') =>
  calls('update_state', { state }, id);

const stateEvents = (events: readonly Received[]) =>
  events.filter(({ type }) => type.startsWith('STATE_'));

/** What the model is told before the conversation. */
const systemOf = (request: number) =>
  models
    .requests()
    [request]!.messages.filter(({ role }) => role === 'system')
    .map(({ content }) => content)
    .join('');

const VALUES: [string, unknown][] = [
  ['an object', { recipe: { title: 'Soup' } }],
  ['an empty object', {}],
  ['a list', [1, { a: 2 }]],
  ['an empty list', []],
  ['null', null],
  ['false', false],
  ['zero', 0],
  ['an empty text', ''],
  ['a text', 'draft'],
];

describe.each(PLATFORMS)('Shared state on %s', (platform) => {
  const start = (options: Partial<AiSdkAgentOptions> = {}) =>
    serve(
      platform,
      new AiSdkAgent({ model: models.model(), shareState: true, ...options }),
    );

  it('should begin with a snapshot of the input, right after the start', async () => {
    models.script('Hello.');
    const app = await start();
    const state = { recipe: { title: 'Soup' } };
    const events = await run(app, inputOf({ state }));
    expect(typesOf(events).slice(0, 2)).toEqual([
      'RUN_STARTED',
      'STATE_SNAPSHOT',
    ]);
    expect(stateEvents(events)).toEqual([
      { type: 'STATE_SNAPSHOT', snapshot: state },
    ]);
  });

  it.each([
    ['absent', undefined],
    ['null', null],
  ])(
    'should begin with an empty object when the state is %s',
    async (_what, state) => {
      models.script('Hello.');
      const app = await start();
      expect(stateEvents(await run(app, inputOf({ state })))).toEqual([
        { type: 'STATE_SNAPSHOT', snapshot: {} },
      ]);
    },
  );

  it.each(VALUES.filter(([, value]) => value !== null))(
    'should begin with %s as it is',
    async (_what, state) => {
      models.script('Hello.');
      const app = await start();
      expect(stateEvents(await run(app, inputOf({ state })))).toEqual([
        { type: 'STATE_SNAPSHOT', snapshot: state },
      ]);
      expect(systemOf(0)).toContain(JSON.stringify(state));
    },
  );

  it('should be off unless it is asked for', async () => {
    models.script('Hello.');
    const app = await start({ shareState: undefined });
    const events = await run(app, inputOf({ state: { secret: 1 } }));
    expect(stateEvents(events)).toEqual([]);
    expect(models.requests()[0]!.tools).toBeUndefined();
    expect(JSON.stringify(models.requests()[0])).not.toContain('secret');
  });

  it('should tell the model the state, and offer it a tool that takes the whole of it', async () => {
    models.script('Hello.');
    const app = await start({ system: 'Be brief.' });
    await run(app, inputOf({ state: { title: 'Soup' } }));
    expect(systemOf(0)).toMatch(/^Be brief\.[^]*\{"title":"Soup"\}/);
    expect(models.requests()[0]!.tools).toMatchObject([
      {
        function: {
          name: 'update_state',
          parameters: { type: 'object', required: ['state'] },
        },
      },
    ]);
  });

  it('should send each update as a snapshot, and never as a tool call', async () => {
    models.script(update({ title: 'Stew' }), 'Changed.');
    const app = await start();
    const events = await run(app, inputOf({ state: { title: 'Soup', n: 1 } }));
    expect(typesOf(events)).toEqual([
      'RUN_STARTED',
      'STATE_SNAPSHOT',
      'STATE_SNAPSHOT',
      'TEXT_MESSAGE_START',
      'TEXT_MESSAGE_CONTENT',
      'TEXT_MESSAGE_END',
      'RUN_FINISHED',
    ]);
    expect(stateEvents(events)[1]).toEqual({
      type: 'STATE_SNAPSHOT',
      snapshot: { title: 'Stew' },
    });
    expect(JSON.stringify(events)).not.toContain('update_state');
  });

  it('should send each update as a patch of what the client holds', async () => {
    models.script(
      update({ title: 'Stew', steps: ['cut'] }, 'c1'),
      update({ title: 'Stew', steps: ['cut', 'cook'] }, 'c2'),
      'Changed.',
    );
    const app = await start({ stateUpdates: 'DELTA' });
    const events = await run(app, inputOf({ state: { title: 'Soup' } }));
    expect(stateEvents(events)).toEqual([
      { type: 'STATE_SNAPSHOT', snapshot: { title: 'Soup' } },
      {
        type: 'STATE_DELTA',
        delta: expect.arrayContaining([
          { op: 'replace', path: '/title', value: 'Stew' },
          { op: 'add', path: '/steps', value: ['cut'] },
        ]) as unknown,
      },
      {
        type: 'STATE_DELTA',
        delta: [{ op: 'add', path: '/steps/1', value: 'cook' }],
      },
    ]);
  });

  it('should send no patch where nothing has changed', async () => {
    models.script(update({ title: 'Soup' }), 'As it was.');
    const app = await start({ stateUpdates: 'DELTA' });
    const events = await run(app, inputOf({ state: { title: 'Soup' } }));
    expect(typesOf(stateEvents(events))).toEqual(['STATE_SNAPSHOT']);
  });

  it('should tell the model the new state in its next turn', async () => {
    models.script(update({ n: 2 }), 'Changed.');
    const app = await start();
    await run(app, inputOf({ state: { n: 1 } }));
    expect(systemOf(0)).toContain('{"n":1}');
    expect(systemOf(1)).toContain('{"n":2}');
    expect(systemOf(1)).not.toContain('{"n":1}');
    expect(models.lastTalk().at(-1)).toMatchObject({ role: 'tool' });
  });

  it('should not change by a call without a state, which the model is told', async () => {
    models.script(
      calls('update_state', { title: 'Stew' }, 'c1'),
      calls('update_state', {}, 'c2'),
      update({ title: 'Stew' }, 'c3'),
      'Changed.',
    );
    const app = await start();
    const events = await run(app, inputOf({ state: { title: 'Soup' } }));
    expect(stateEvents(events).map(({ snapshot }) => snapshot)).toEqual([
      { title: 'Soup' },
      { title: 'Stew' },
    ]);
    expect(JSON.stringify(models.lastTalk())).toContain(
      'must be given as \\"state\\"',
    );
    expect(typesOf(events).join()).not.toContain('TOOL');
  });

  it('should take several updates of one turn in their order', async () => {
    models.script(together(update(1, 'c1'), update(2, 'c2')), 'Two.');
    const app = await start({ stateUpdates: 'DELTA' });
    const events = await run(app, inputOf({ state: 0 }));
    expect(stateEvents(events).slice(1)).toEqual([
      { type: 'STATE_DELTA', delta: [{ op: 'replace', path: '', value: 1 }] },
      { type: 'STATE_DELTA', delta: [{ op: 'replace', path: '', value: 2 }] },
    ]);
  });

  describe('with a statePrompt', () => {
    it('should be told in these words', async () => {
      models.script('Hello.');
      const app = await start({
        statePrompt: (state) => `The title is ${(state as { t: string }).t}.`,
      });
      await run(app, inputOf({ state: { t: 'Soup' } }));
      expect(systemOf(0)).toBe('The title is Soup.');
    });

    it.each([
      ['null', null],
      ['undefined', undefined],
      ['blank', ' \n'],
    ])(
      'that gives %s should not be told at all, and still be changed',
      async (_what, prompt) => {
        models.script(update({ n: 2 }), 'Changed.');
        const app = await start({ statePrompt: () => prompt });
        const events = await run(app, inputOf({ state: { n: 1 } }));
        expect(systemOf(0)).toBe('');
        expect(stateEvents(events)).toHaveLength(2);
      },
    );
  });

  it('should go together with other tools', async () => {
    const look = agentTool({
      description: 'Looks',
      inputSchema: jsonSchema<object>({ type: 'object', properties: {} }),
      execute: () => 'seen',
    });
    models.script(
      together(
        update({ n: 2 }, 'c1'),
        calls('look', {}, 'c2'),
        calls('pick', {}, 'c3'),
      ),
    );
    const app = await start({ tools: { look } });
    const pick = { name: 'pick', description: 'Picks', parameters: {} };
    const events = await run(app, inputOf({ tools: [pick] }));
    expect(stateEvents(events)).toHaveLength(2);
    expect(events.at(-1)).toMatchObject({
      outcome: { type: 'success', pendingToolCallIds: ['c3'] },
    });
    expect(
      events
        .filter(({ type }) => type === 'TOOL_CALL_START')
        .map(({ toolCallName }) => toolCallName),
    ).toEqual(['look', 'pick']);
  });

  it('should go together with consent', async () => {
    models.script(
      together(update({ n: 2 }, 'c1'), calls('send_email', MAIL, 'c2')),
      'Sent.',
    );
    const { agent, sent } = mailer(models.model(), { shareState: true });
    const app = await serve(platform, agent);
    const events = await run(app);
    expect(stateEvents(events)).toHaveLength(2);
    const [interrupt] = interruptsOf(events);
    const rest = await resume(app, [answer(interrupt!, { approved: true })], {
      state: { n: 2 },
    });
    expect(sent).toHaveLength(1);
    expect(typesOf(rest).slice(0, 3)).toEqual([
      'RUN_STARTED',
      'STATE_SNAPSHOT',
      'TOOL_CALL_RESULT',
    ]);
  });

  it('should not be sent if state events are off', async () => {
    models.script(update({ n: 2 }), 'Changed.');
    const app = await serve(
      platform,
      new AiSdkAgent({ model: models.model(), shareState: true }),
      { emitStateEvents: false },
    );
    expect(stateEvents(await run(app))).toEqual([]);
    expect(systemOf(1)).toContain('{"n":2}');
  });

  it.each(CLIENTS)(
    'should go on from where it was, with %s',
    async (_name, Client) => {
      models.script(
        update({ list: ['a'] }, 'c1'),
        'One.',
        update({ list: ['a', 'b'] }, 'c2'),
        'Two.',
      );
      const client = clientOf(Client, await start({ stateUpdates: 'DELTA' }));
      await client.runAgent();
      await client.runAgent();
      expect(client.state).toEqual({ list: ['a', 'b'] });
      expect(systemOf(2)).toContain('{"list":["a"]}');
    },
  );
});

describe.each(['SNAPSHOT', 'DELTA'] as const)(
  'Shared state by %s',
  (stateUpdates) => {
    it.each(VALUES)('should become %s at the client', async (_what, value) => {
      models.script(update({ a: [1] }, 'c1'), update(value, 'c2'), 'Changed.');
      const agent = new AiSdkAgent({
        model: models.model(),
        shareState: true,
        stateUpdates,
      });
      const client = clientOf(HttpAgent, await serve('express', agent));
      client.setState({ before: true });
      await client.runAgent();
      expect(client.state).toEqual(value);
    });
  },
);
