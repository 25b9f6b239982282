import { setTimeout as sleep } from 'node:timers/promises';
import { HttpAgent } from '@ag-ui/client';
import { type Tool } from 'ai';
import { ToolMergeMode, type AguiAdapterConfig } from 'nestjs-agui';
import { AiSdkAgent } from 'nestjs-agui/ai-sdk';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { closeApps, PLATFORMS, serve } from './support/app.js';
import { type Received } from './support/client.js';
import { muteLogs } from './support/logs.js';
import {
  argumentsOf,
  lastOf,
  outlineOf,
  resultsOf,
  runAgent,
} from './support/model-run.js';
import { useModelServer, type Frame } from './support/model-server.js';
import { call, calls, openAiModel, texts } from './support/openai-wire.js';
import { type Execute, toolThat } from './support/model-tools.js';

const server = useModelServer();

const frontend = (name: string) => ({
  name,
  description: `The client's ${name}`,
  parameters: {
    type: 'object',
    properties: { color: { type: 'string' } },
    required: ['color'],
  },
});

/** A run in which the model first answers like this, and then that it is done. */
function runOf(
  tools: Record<string, Tool>,
  answer: readonly Frame[],
  input: Record<string, unknown> = {},
  config: AguiAdapterConfig = {},
): Promise<Received[]> {
  server.answer(answer, texts('done'));
  const agent = { model: openAiModel(server), tools };
  return runAgent({ agent, input, config });
}

describe('frontend tools', () => {
  muteLogs();
  const input = { tools: [frontend('color'), frontend('size')] };

  it('should be offered with what they are and take', async () => {
    await runOf({ f: toolThat(() => 1) }, texts('no need'), input);

    expect(server.body().tools!.map((tool) => tool.function!.name)).toEqual([
      'f',
      'color',
      'size',
    ]);
    expect(server.body().tools![1]!.function).toEqual(frontend('color'));
  });

  it('should be called and not executed: the run ends with the calls pending', async () => {
    const events = await runOf(
      {},
      calls(
        call('c1', 'color', { color: 'red' }, 0),
        call('c2', 'size', {}, 1),
        call('c3', 'color', { color: 'blue' }, 2),
      ),
      input,
    );

    expect(argumentsOf(events)).toEqual({
      c1: '{"color":"red"}',
      c2: '{}',
      c3: '{"color":"blue"}',
    });
    expect(resultsOf(events)).toEqual({});
    expect(lastOf(events)).toMatchObject({
      type: 'RUN_FINISHED',
      outcome: { type: 'success', pendingToolCallIds: ['c1', 'c2', 'c3'] },
    });
    expect(server.requests).toHaveLength(1);
  });

  it('should wait for the backend tools of the same turn: their results come first', async () => {
    const events = await runOf(
      { f: toolThat(() => sleep(20, 'slow')) },
      calls(call('c1', 'color', {}, 0), call('c2', 'f', {}, 1)),
      input,
    );

    expect(outlineOf(events).slice(-2)).toEqual([
      'TOOL_CALL_RESULT slow',
      'RUN_FINISHED',
    ]);
    expect(lastOf(events)).toMatchObject({
      outcome: { pendingToolCallIds: ['c1'] },
    });
    expect(server.requests).toHaveLength(1);
  });

  describe("with a backend tool's name", () => {
    const MODES = Object.values(ToolMergeMode);
    const wins = (mode: ToolMergeMode) => mode !== 'AGENT_ONLY';

    it.each(MODES)('should follow the merge mode %s', async (mode) => {
      const execute = vi.fn<Execute>(() => 'by the server');
      const events = await runOf(
        { color: toolThat(execute), other: toolThat(() => 1) },
        calls(call('c1', 'color', { color: 'red' })),
        { tools: [frontend('color')] },
        { defaultToolMergeMode: mode },
      );

      const [offered] = server.body().tools!;
      expect(offered!.function!.description).toBe(
        wins(mode) ? "The client's color" : 'Does it',
      );
      expect(execute).toHaveBeenCalledTimes(wins(mode) ? 0 : 1);
      expect(resultsOf(events)).toEqual(
        wins(mode) ? {} : { c1: 'by the server' },
      );
      expect(server.body().tools).toHaveLength(
        mode === 'FRONTEND_ONLY' ? 1 : 2,
      );
    });

    it('should not reach a backend tool that this run does not have', async () => {
      const execute = vi.fn<Execute>(() => 'by the server');
      const events = await runOf(
        { secret: toolThat(execute) },
        calls(call('c1', 'secret')),
        { tools: [frontend('color')] },
        { defaultToolMergeMode: 'FRONTEND_ONLY' },
      );

      expect(execute).not.toHaveBeenCalled();
      expect(resultsOf(events)['c1']).toContain('unavailable tool');
    });

    it.each(['__proto__', 'constructor', 'toString'])(
      'should be no way to what is no tool: %s',
      async (name) => {
        const events = await runOf(
          { f: toolThat(() => 1) },
          calls(call('c1', name)),
          { tools: [frontend('color')] },
        );

        expect(resultsOf(events)['c1']).toContain('unavailable tool');
        expect(lastOf(events)).toMatchObject({ type: 'RUN_FINISHED' });
      },
    );
  });
});

describe.each(PLATFORMS)('both kinds of tools on %s', (platform) => {
  afterEach(closeApps);

  it('should go through the official client, over two runs', async () => {
    const agent = new AiSdkAgent({
      model: openAiModel(server),
      tools: { weather: toolThat(({ city }) => ({ city, celsius: 20 })) },
    });
    const app = await serve(platform, agent);
    const client = new HttpAgent({ url: `${app.url}/agui/run` });
    client.addMessage({ id: 'u1', role: 'user', content: 'Weather in red?' });
    server.answer(
      calls(
        call('c1', 'weather', { city: 'Rom' }, 0),
        call('c2', 'color', { color: 'red' }, 1),
      ),
      texts('Red and sunny.'),
    );
    const tools = [frontend('color')];

    const first = await client.runAgent({ tools });

    expect(first.newMessages).toMatchObject([
      { role: 'assistant', toolCalls: [{ id: 'c1' }, { id: 'c2' }] },
      {
        role: 'tool',
        toolCallId: 'c1',
        content: '{"city":"Rom","celsius":20}',
      },
    ]);
    client.addMessage({
      id: 'x1',
      role: 'tool',
      toolCallId: 'c2',
      content: 'coloured',
    });
    const second = await client.runAgent({ tools });

    expect(second.newMessages).toMatchObject([
      { role: 'assistant', content: 'Red and sunny.' },
    ]);
    expect(server.messages(1)).toMatchObject([
      { role: 'user' },
      { role: 'assistant', tool_calls: [{ id: 'c1' }, { id: 'c2' }] },
      { role: 'tool', tool_call_id: 'c1' },
      { role: 'tool', tool_call_id: 'c2', content: 'coloured' },
    ]);
  });
});
