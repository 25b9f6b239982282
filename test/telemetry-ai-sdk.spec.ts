import { setTimeout as sleep } from 'node:timers/promises';
import { jsonSchema } from 'ai';
import { AguiError } from 'nestjs-agui';
import { agentTool, AiSdkAgent } from 'nestjs-agui/ai-sdk';
import { afterEach, describe, expect, it } from 'vitest';
import { closeApps, PLATFORMS } from './support/app.js';
import { inputOf, run } from './support/client.js';
import { calls, together, useMockModels } from './support/mock-models.js';
import {
  failureOf,
  traced,
  TRACEPARENT,
  useTelemetry,
} from './support/telemetry.js';
import { serveTraced as serve } from './support/traced-app.js';

const models = useMockModels();
const telemetry = useTelemetry();
afterEach(closeApps);

const anything = jsonSchema<object>({ type: 'object' });
const usage = { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 };

describe.each(PLATFORMS)('Traces of AiSdkAgent on %s', (platform) => {
  const look = agentTool({
    inputSchema: anything,
    execute: async () => {
      await sleep(1);
      return traced('query', () => 'found');
    },
  });

  it('should have its model calls and tools, active in what they do', async () => {
    models.script(
      { ...calls('look', {}, 'c1'), usage },
      { content: 'Found.', usage },
    );
    const agent = new AiSdkAgent({
      model: models.model(),
      tools: { look },
      system: () => traced('instructions', () => 'Be brief.'),
    });
    const app = await serve(platform, agent);
    await run(app, inputOf(), { headers: TRACEPARENT });

    const [span] = await telemetry.named('agui.run');
    const chats = await telemetry.named('chat main', 2);
    const [tool] = await telemetry.named('execute_tool look');
    const [query] = await telemetry.named('query');
    const [instructions] = await telemetry.named('instructions', 3);
    const { spanId } = span!.spanContext();
    for (const child of [...chats, tool!, instructions!])
      expect(child.parentSpanContext?.spanId).toBe(spanId);
    expect(query!.parentSpanContext?.spanId).toBe(tool!.spanContext().spanId);
    expect(chats[0]!.attributes).toMatchObject({
      'gen_ai.provider.name': 'mock',
      'gen_ai.request.model': 'main',
      'gen_ai.response.id': expect.any(String) as string,
      'gen_ai.response.finish_reasons': ['tool-calls'],
      'gen_ai.usage.input_tokens': 7,
      'gen_ai.usage.output_tokens': 3,
    });
    expect(span!.attributes).toMatchObject({
      'gen_ai.response.finish_reasons': ['stop'],
      'gen_ai.usage.input_tokens': 14,
      'gen_ai.usage.output_tokens': 6,
    });
  });

  it('should tell how long the model took to begin, too', async () => {
    models.script(async () => {
      await sleep(50);
      return 'Hi';
    });
    const app = await serve(
      platform,
      new AiSdkAgent({ model: models.model() }),
    );
    await run(app);
    const [chat] = await telemetry.named('chat main');
    expect(chat!.duration[1]).toBeGreaterThan(45_000_000);
  });

  it('should say which tool failed, and why in one word', async () => {
    models.script(
      together(calls('break', {}, 'c1'), calls('stop', {}, 'c2')),
      'That did not work.',
    );
    const broken = (error: Error) =>
      agentTool({
        inputSchema: anything,
        execute: () => Promise.reject(error),
      });
    const agent = new AiSdkAgent({
      model: models.model(),
      tools: {
        break: broken(new TypeError('of ada@example.com')),
        stop: broken(new AguiError('No more.', 'SOLD_OUT')),
      },
    });
    await run(await serve(platform, agent));
    const [one] = await telemetry.named('execute_tool break');
    const [other] = await telemetry.named('execute_tool stop');
    const [span] = await telemetry.named('agui.run');
    expect([failureOf(one!), failureOf(other!), failureOf(span!)]).toEqual([
      'TypeError',
      'SOLD_OUT',
      undefined,
    ]);
  });

  it('should have a tool in the run in which it is approved', async () => {
    models.script(calls('look', {}, 'c1'), 'Found.');
    const agent = new AiSdkAgent({
      model: models.model(),
      tools: { look },
      permission: () => 'ask',
    });
    const app = await serve(platform, agent);
    const events = await run(app);
    await telemetry.named('agui.run');
    expect(telemetry.ended().map(({ name }) => name)).not.toContain(
      'execute_tool look',
    );

    const { interrupts } = events.at(-1)!['outcome'] as {
      interrupts: { id: string }[];
    };
    const resume = interrupts.map(({ id }) => ({
      interruptId: id,
      status: 'resolved',
      payload: { approved: true },
    }));
    await run(app, inputOf({ runId: 'r2', resume }));
    const [, second] = await telemetry.named('agui.run', 2);
    const [tool] = await telemetry.named('execute_tool look');
    const [query] = await telemetry.named('query');
    expect(tool!.parentSpanContext?.spanId).toBe(second!.spanContext().spanId);
    expect(query!.parentSpanContext?.spanId).toBe(tool!.spanContext().spanId);
  });

  it('should have what a subagent does below the tool that it is', async () => {
    models.script(
      calls('researcher', { task: 'look' }, 'task-1'),
      'It was found.',
    );
    models.scriptOf('sub', calls('look', {}, 'c1'), 'Found.');
    const researcher = new AiSdkAgent({
      model: models.model('sub'),
      tools: { look },
    });
    const agent = new AiSdkAgent({
      model: models.model(),
      tools: {
        researcher: researcher.asTool({
          name: 'researcher',
          description: '',
        }),
      },
    });
    await run(await serve(platform, agent));
    expect(await telemetry.tree()).toEqual({
      'agui.run': {
        'chat main': {},
        'execute_tool researcher': {
          'chat sub': {},
          'execute_tool look': { query: {} },
        },
      },
    });
    const [first] = await telemetry.named('chat sub', 2);
    expect(first!.attributes['gen_ai.agent.name']).toBe('researcher');
  });

  // Of the AI SDK 7, telemetry is a package of its own.
  it.skipIf(process.env['AI_SDK'] === '7')(
    "should have the AI SDK's own spans, if the application wants them",
    async () => {
      models.script(calls('look', {}, 'c1'), 'Found.');
      const agent = new AiSdkAgent({
        model: models.model(),
        tools: { look },
        settings: { experimental_telemetry: { isEnabled: true } },
      });
      await run(await serve(platform, agent));
      expect(await telemetry.tree()).toEqual({
        'agui.run': {
          'chat main': {},
          'ai.streamText': {
            'ai.streamText.doStream': {
              'ai.toolCall': { 'execute_tool look': { query: {} } },
            },
          },
        },
      });
    },
  );
});
