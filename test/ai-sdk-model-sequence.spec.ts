import { jsonSchema } from 'ai';
import { agentTool, AiSdkAgent } from 'nestjs-agui/ai-sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeApps, PLATFORMS, serve } from './support/app.js';
import { inputOf, run, typesOf, type Received } from './support/client.js';
import { outlineOf } from './support/model-run.js';
import { ModelServer } from './support/model-server.js';
import {
  call,
  calls,
  openAiModel,
  say,
  texts,
  usage,
} from './support/openai-wire.js';

const weather = agentTool({
  description: 'Tells the weather',
  inputSchema: jsonSchema<{ city: string }>({
    type: 'object',
    properties: { city: { type: 'string' } },
  }),
  execute: ({ city }) => `sunny in ${city}`,
});

/** The event mapping, in its order, as one run produces it. */
describe.each(PLATFORMS)('the event mapping on %s', (platform) => {
  const server = new ModelServer();
  let events: Received[];

  beforeAll(async () => {
    await server.start();
    const agent = new AiSdkAgent({
      model: openAiModel(server),
      tools: { weather },
      shareState: true,
      emitMessagesSnapshot: true,
    });
    server.answer(
      calls(
        ...['<th', 'ink>Pl', 'an.</', 'think>', 'I ', 'look.'].map(say),
        call('c1', 'weather', { city: 'Paris' }),
        call('c2', 'weather', { city: 'Rome' }, 1),
      ),
      calls(call('c3', 'update_state', { state: { visited: 2 } })),
      [
        ...texts('Both', ' sunny.'),
        usage({ prompt_tokens: 5, completion_tokens: 4 }),
      ],
    );
    const app = await serve(platform, agent, { enableReasoning: true });
    events = await run(app, inputOf({ state: { visited: 0 } }));
  });

  afterAll(async () => {
    await closeApps();
    await server.stop();
  });

  /** The part of the run between two types of events, both included. */
  const stretch = (first: string, last: string): string[] => {
    const types = typesOf(events);
    return outlineOf(events).slice(
      types.indexOf(first),
      types.lastIndexOf(last) + 1,
    );
  };

  it('RUN_STARTED comes first', () => {
    expect(events[0]).toMatchObject({
      type: 'RUN_STARTED',
      threadId: 't1',
      runId: 'r1',
    });
  });

  it('STATE_SNAPSHOT: the initial state, when shared state is on', () => {
    expect(events[1]).toMatchObject({
      type: 'STATE_SNAPSHOT',
      snapshot: { visited: 0 },
    });
  });

  it('REASONING_*: for <think>…</think> content', () => {
    expect(stretch('REASONING_START', 'REASONING_END')).toEqual([
      'REASONING_START',
      'REASONING_MESSAGE_START',
      'REASONING_MESSAGE_CONTENT Pl',
      'REASONING_MESSAGE_CONTENT an.',
      'REASONING_MESSAGE_END',
      'REASONING_END',
    ]);
    expect(events[3]).toMatchObject({ role: 'reasoning' });
  });

  it('TEXT_MESSAGE_*: what the model says, in a message of its own', () => {
    expect(outlineOf(events).slice(8, 12)).toEqual([
      'TEXT_MESSAGE_START',
      'TEXT_MESSAGE_CONTENT I ',
      'TEXT_MESSAGE_CONTENT look.',
      'TEXT_MESSAGE_END',
    ]);
    expect(events[8]!.messageId).not.toBe(events[3]!.messageId);
  });

  it('TOOL_CALL_START, _ARGS, _END: for each tool call', () => {
    expect(outlineOf(events).slice(12, 18)).toEqual([
      'TOOL_CALL_START weather',
      'TOOL_CALL_ARGS {"city":"Paris"}',
      'TOOL_CALL_START weather',
      'TOOL_CALL_ARGS {"city":"Rome"}',
      'TOOL_CALL_END',
      'TOOL_CALL_END',
    ]);
    const starts = events.filter(({ type }) => type === 'TOOL_CALL_START');
    expect(starts).toMatchObject([
      { toolCallId: 'c1', parentMessageId: events[8]!.messageId },
      { toolCallId: 'c2', parentMessageId: events[8]!.messageId },
    ]);
  });

  it('TOOL_CALL_RESULT: for backend tools, each with a message id of its own', () => {
    const results = events.filter(({ type }) => type === 'TOOL_CALL_RESULT');

    expect(results).toMatchObject([
      { toolCallId: 'c1', content: 'sunny in Paris', role: 'tool' },
      { toolCallId: 'c2', content: 'sunny in Rome', role: 'tool' },
    ]);
    expect(new Set(results.map(({ messageId }) => messageId)).size).toBe(2);
  });

  it('STATE_SNAPSHOT: when the model updates the state, in place of a tool call', () => {
    const states = events.filter(({ type }) => type === 'STATE_SNAPSHOT');

    expect(states).toMatchObject([
      { snapshot: { visited: 0 } },
      { snapshot: { visited: 2 } },
    ]);
    expect(events.indexOf(states[1]!)).toBe(20);
    expect(JSON.stringify(events)).not.toContain('update_state');
  });

  it('STATE_DELTA: when the model updates the state, in place of a snapshot', async () => {
    const agent = new AiSdkAgent({
      model: openAiModel(server),
      shareState: true,
      stateUpdates: 'DELTA',
    });
    server.answer(
      calls(call('c1', 'update_state', { state: { visited: 2 } })),
      texts('Done.'),
    );
    const app = await serve(platform, agent);
    const changed = await run(app, inputOf({ state: { visited: 0 } }));

    expect(typesOf(changed).slice(0, 4)).toEqual([
      'RUN_STARTED',
      'STATE_SNAPSHOT',
      'STATE_DELTA',
      'TEXT_MESSAGE_START',
    ]);
    expect(changed[2]).toMatchObject({
      delta: [{ op: 'replace', path: '/visited', value: 2 }],
    });
  });

  it('MESSAGES_SNAPSHOT: right before the end, when enabled', () => {
    expect(events.at(-2)).toMatchObject({
      type: 'MESSAGES_SNAPSHOT',
      messages: [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: 'I look.' },
        { role: 'tool', toolCallId: 'c1' },
        { role: 'tool', toolCallId: 'c2' },
        { role: 'assistant', content: 'Both sunny.' },
      ],
    });
  });

  it('RUN_FINISHED comes last', () => {
    expect(events.at(-1)).toMatchObject({
      type: 'RUN_FINISHED',
      threadId: 't1',
      runId: 'r1',
    });
  });

  it('RUN_ERROR ends the run if the model fails', async () => {
    const agent = new AiSdkAgent({ model: openAiModel(server) });
    server.answer({ status: 400, body: { error: { message: 'secret' } } });
    const app = await serve(platform, agent);

    const failed = await run(app);

    expect(typesOf(failed)).toEqual(['RUN_STARTED', 'RUN_ERROR']);
    expect(JSON.stringify(failed)).not.toContain('secret');
    expect(app.log.join('\n')).toContain('secret');
  });
});
