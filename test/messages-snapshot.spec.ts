import { HttpAgent } from '@ag-ui/client';
import { jsonSchema } from 'ai';
import { afterEach, describe, expect, it } from 'vitest';
import {
  agentTool,
  AiSdkAgent,
  type AiSdkAgentOptions,
} from 'nestjs-agui/ai-sdk';
import {
  anthropicModel,
  message,
  textBlock,
  toolBlock,
} from './support/anthropic-wire.js';
import { closeApps, PLATFORMS, serve } from './support/app.js';
import { inputOf, run, typesOf, type Received } from './support/client.js';
import { clientOf, CLIENTS, refuseComplaints } from './support/http-agents.js';
import { answer, interruptsOf, resume } from './support/interrupting.js';
import { MAIL, mailer } from './support/mailer.js';
import { calls, useMockModels } from './support/mock-models.js';
import { useModelServer } from './support/model-server.js';

const models = useMockModels();
const server = useModelServer();
refuseComplaints();
afterEach(closeApps);

interface SnapshotMessage {
  id: string;
  role: string;
  content?: unknown;
  error?: string;
  toolCalls?: { id: string; function: { name: string; arguments: string } }[];
}

const snapshotIn = (events: readonly Received[]) =>
  events.find(({ type }) => type === 'MESSAGES_SNAPSHOT')?.['messages'] as
    SnapshotMessage[] | undefined;

const IMAGE = {
  id: 'u1',
  role: 'user',
  content: [
    { type: 'text', text: 'What is this?' },
    {
      type: 'image',
      source: { type: 'data', value: 'iVBORw0KGgo=', mimeType: 'image/png' },
      metadata: { filename: 'x.png' },
    },
  ],
};

describe.each(PLATFORMS)('The messages snapshot on %s', (platform) => {
  const look = (execute: () => unknown = () => 'seen') =>
    agentTool({
      description: 'Looks',
      inputSchema: jsonSchema<object>({ type: 'object', properties: {} }),
      execute,
    });

  const start = (
    options: Partial<AiSdkAgentOptions> = {},
    enableReasoning = true,
  ) =>
    serve(
      platform,
      new AiSdkAgent({
        model: models.model(),
        emitMessagesSnapshot: true,
        ...options,
      }),
      { enableReasoning },
    );

  it('should not be sent unless it is asked for', async () => {
    models.script('Hello.');
    const app = await start({ emitMessagesSnapshot: undefined });
    expect(snapshotIn(await run(app))).toBeUndefined();
  });

  it('should come just before the end, with the input and what the run said, under the same ids', async () => {
    models.script({ content: 'I look. ', ...calls('look', {}, 'c1') }, 'Seen.');
    const app = await start({ tools: { look: look() } });
    const events = await run(app);
    expect(typesOf(events).slice(-2)).toEqual([
      'MESSAGES_SNAPSHOT',
      'RUN_FINISHED',
    ]);
    const idsOf = (type: string) =>
      events
        .filter((one) => one.type === type)
        .map(({ messageId }) => messageId);
    const [first, second] = idsOf('TEXT_MESSAGE_START');
    const [result] = idsOf('TOOL_CALL_RESULT');
    expect(snapshotIn(events)).toEqual([
      { id: 'u1', role: 'user', content: 'Hi' },
      {
        id: first,
        role: 'assistant',
        content: 'I look. ',
        toolCalls: [
          {
            id: 'c1',
            type: 'function',
            function: { name: 'look', arguments: '{}' },
          },
        ],
      },
      { id: result, role: 'tool', toolCallId: 'c1', content: 'seen' },
      { id: second, role: 'assistant', content: 'Seen.' },
    ]);
  });

  it('should keep the media that the user sent', async () => {
    models.script('A picture.');
    const app = await start();
    const events = await run(app, inputOf({ messages: [IMAGE] }));
    expect(snapshotIn(events)![0]).toEqual(IMAGE);
  });

  it('should leave reasoning out, so that the client keeps its own', async () => {
    models.script('<think>Hm.</think>Hello.');
    const app = await start();
    const events = await run(
      app,
      inputOf({
        messages: [
          { id: 't0', role: 'reasoning', content: 'Earlier.' },
          ...inputOf().messages,
        ],
      }),
    );
    expect(typesOf(events)).toContain('REASONING_MESSAGE_CONTENT');
    expect(snapshotIn(events)!.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
    ]);
  });

  it('should say which tools failed', async () => {
    models.script(calls('look', {}, 'c1'), 'Sorry.');
    const app = await start({
      tools: {
        look: look(() => {
          throw new Error('secret');
        }),
      },
    });
    const events = await run(app);
    expect(snapshotIn(events)![2]).toMatchObject({
      role: 'tool',
      content: 'The tool "look" failed.',
      error: 'The tool "look" failed.',
    });
    expect(JSON.stringify(events)).not.toContain('secret');
  });

  it.each(CLIENTS)(
    'should let the model of the next run know which tools failed, with %s',
    async (_name, Client) => {
      server.answer(
        message([toolBlock('c1', 'look', '{}')], 'tool_use'),
        message([textBlock('Sorry.')]),
        message([textBlock('As I said.')]),
      );
      const app = await start({
        model: anthropicModel(server),
        tools: { look: look(() => Promise.reject(new Error('secret'))) },
      });
      const client = clientOf(Client, app);
      await client.runAgent();
      client.addMessage({ id: 'u2', role: 'user', content: 'Well?' });
      await client.runAgent();
      expect(server.messages(2)[2]).toMatchObject({
        content: [{ type: 'tool_result', tool_use_id: 'c1', is_error: true }],
      });
    },
  );

  it('should hold calls that are not answered yet, when the run stops for them', async () => {
    models.script(calls('send_email', MAIL, 'c1'), 'Sent.');
    const { agent } = mailer(models.model(), { emitMessagesSnapshot: true });
    const app = await serve(platform, agent);
    const events = await run(app);
    const messages = snapshotIn(events)!;
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant']);
    expect(messages[1]!.toolCalls).toMatchObject([{ id: 'c1' }]);
    const rest = await resume(
      app,
      [answer(interruptsOf(events)[0]!, { approved: true })],
      { messages },
    );
    expect(snapshotIn(rest)!.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
    ]);
  });

  it('should not hold calls that nobody sees', async () => {
    models.script(calls('update_state', { state: { n: 1 } }, 'c1'), 'Changed.');
    const app = await start({ shareState: true });
    expect(snapshotIn(await run(app))!.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
    ]);
  });

  it.each([
    ['there are none', []],
    [
      'there is only reasoning',
      [{ id: 't0', role: 'reasoning', content: 'Hm.' }],
    ],
    [
      'there are only activities',
      [{ id: 'x', role: 'activity', activityType: 'PLAN', content: {} }],
    ],
  ])('should not be empty: it is not sent when %s', async (_when, messages) => {
    models.script('');
    const app = await start();
    const events = await run(app, inputOf({ messages }));
    expect(typesOf(events)).toEqual(['RUN_STARTED', 'RUN_FINISHED']);
  });

  it('should not be sent by a run that fails', async () => {
    models.script({ error: { message: 'overloaded' }, status: 400 });
    const app = await start();
    expect(typesOf(await run(app))).toEqual(['RUN_STARTED', 'RUN_ERROR']);
  });

  it.each(CLIENTS)(
    'should change nothing of what %s holds',
    async (_name, Client) => {
      models.script(
        { content: '<think>Hm.</think>I look.', ...calls('look', {}, 'c1') },
        '<think>So.</think>Seen.',
      );
      const app = await start({ tools: { look: look() } });
      const client = clientOf(Client, app);
      let before: unknown;
      await client.runAgent(
        {},
        {
          onMessagesSnapshotEvent: ({ messages }) =>
            void (before = structuredClone(messages)),
        },
      );
      expect(client.messages).toEqual(before);
      expect(client.messages.map(({ role }) => role)).toEqual([
        'user',
        'reasoning',
        'assistant',
        'tool',
        'reasoning',
        'assistant',
      ]);
    },
  );
});

it('should leave the activities of a client alone', async () => {
  const plan = { steps: ['look'] };
  models.script(calls('look', {}, 'c1'), 'Seen.', 'Bye.');
  const agent = new AiSdkAgent({
    model: models.model(),
    emitMessagesSnapshot: true,
    tools: {
      look: agentTool({
        description: 'Looks',
        inputSchema: jsonSchema<object>({ type: 'object', properties: {} }),
        execute: (_input, { emit }) => {
          emit({
            type: 'AGUI_EVENT',
            event: {
              type: 'ACTIVITY_SNAPSHOT' as never,
              messageId: 'plan',
              activityType: 'PLAN',
              content: plan,
            },
          });
        },
      }),
    },
  });
  const app = await serve('express', agent);
  const client = clientOf(HttpAgent, app);
  await client.runAgent();
  const activity = {
    id: 'plan',
    role: 'activity',
    activityType: 'PLAN',
    content: plan,
  };
  expect(client.messages).toContainEqual(activity);
  const events = await run(
    app,
    inputOf({ messages: [activity, ...inputOf().messages] }),
  );
  expect(snapshotIn(events)!.map(({ role }) => role)).toEqual([
    'user',
    'assistant',
  ]);
});
