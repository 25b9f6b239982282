import { HttpAgent } from '@ag-ui/client';
import { createMCPClient, type MCPClient } from '@ai-sdk/mcp';
import { Experimental_StdioMCPTransport as Stdio } from '@ai-sdk/mcp/mcp-stdio';
import type { OnApplicationShutdown } from '@nestjs/common';
import type { ToolSet } from 'ai';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { AguiModule } from 'nestjs-agui';
import {
  AiSdkAgent,
  AiSdkAgentModule,
  type AiSdkAgentOptions,
} from 'nestjs-agui/ai-sdk';
import { closeApps, PLATFORMS, serve, startApp } from './support/app.js';
import { inputOf, openStream, post, run, textOf } from './support/client.js';
import { clientOf, CLIENTS, refuseComplaints } from './support/http-agents.js';
import { answer } from './support/interrupting.js';
import { calls, useMockModels } from './support/mock-models.js';

const models = useMockModels();

/** The official server of everything that MCP has, in a process of its own. */
const startServer = (): Promise<MCPClient> =>
  createMCPClient({
    transport: new Stdio({
      command: process.execPath,
      args: [
        'node_modules/@modelcontextprotocol/server-everything/dist/index.js',
      ],
      stderr: 'ignore',
    }),
  });

let client: MCPClient;
let tools: ToolSet;

beforeAll(async () => {
  client = await startServer();
  tools = await client.tools();
});
afterAll(() => client.close());
afterEach(closeApps);

const agentWith = (options: Partial<AiSdkAgentOptions> = {}) =>
  new AiSdkAgent({ model: models.model(), tools, ...options });

/** What the model is told of a tool's result. */
const told = () => models.lastTalk().find(({ role }) => role === 'tool');

describe.each(PLATFORMS)('The tools of an MCP server on %s', (platform) => {
  it('should be told to the model and listed, with those of the server', async () => {
    models.script('Well.');
    const app = await serve(platform, agentWith(), { listAgents: true });
    await run(app);
    const offered = models.requests()[0]!.tools!;
    expect(
      offered.find((one) => one.function.name === 'get-sum'),
    ).toMatchObject({
      function: {
        description: expect.stringContaining('sum'),
        parameters: {
          properties: { a: { type: 'number' }, b: { type: 'number' } },
          required: ['a', 'b'],
        },
      },
    });
    const listed = await (await fetch(`${app.url}/agui/agents`)).text();
    expect(listed).toContain('get-sum');
  });

  it('should not be mistaken for what every object has', async () => {
    models.script(calls('constructor'), 'No such tool.');
    const events = await run(await serve(platform, agentWith()));
    expect(events.at(-1)).toMatchObject({ type: 'RUN_FINISHED' });
  });

  it('should run, and give text as text', async () => {
    models.script(calls('get-sum', { a: 2, b: 3 }), 'It is 5.');
    const client = clientOf(HttpAgent, await serve(platform, agentWith()));
    await client.runAgent();
    expect(client.messages.slice(1)).toMatchObject([
      { role: 'assistant', toolCalls: [{ function: { name: 'get-sum' } }] },
      { role: 'tool', content: 'The sum of 2 and 3 is 5.' },
      { role: 'assistant', content: 'It is 5.' },
    ]);
    expect(told()!.content).toContain('The sum of 2 and 3 is 5.');
  });

  it('should give images as images, between texts', async () => {
    models.script(calls('get-tiny-image'), 'Nice.', 'Still nice.');
    const client = clientOf(HttpAgent, await serve(platform, agentWith()));
    await client.runAgent();
    const result = client.messages.find(({ role }) => role === 'tool')!;
    expect(result.content).toEqual([
      { type: 'text', text: expect.stringContaining('image') },
      {
        type: 'image',
        source: {
          type: 'data',
          value: expect.stringMatching(/^iVBOR/),
          mimeType: 'image/png',
        },
      },
      { type: 'text', text: expect.any(String) },
    ]);
    // The client's history has it, and the model reads it again.
    client.addMessage({ id: 'u2', role: 'user', content: 'And now?' });
    await client.runAgent();
    expect(told()!.content).toContain('iVBOR');
  });

  it('should give what they refer to as text', async () => {
    const reference = { resourceType: 'Text', resourceId: 1 };
    models.script(calls('get-resource-reference', reference), 'Read.');
    const events = await run(await serve(platform, agentWith()));
    const result = events.find(({ type }) => type === 'TOOL_CALL_RESULT');
    expect(result!['content']).toMatch(/\n.*plaintext/);
  });

  it('should fail without failing the run, and tell the client nothing of the inside', async () => {
    models.script(
      calls('gzip-file-as-resource', { data: 'http://127.0.0.1:1/x' }),
      'Sorry.',
    );
    const app = await serve(platform, agentWith());
    const events = await run(app);
    expect(
      events.find(({ type }) => type === 'TOOL_CALL_RESULT'),
    ).toMatchObject({
      content: 'The tool "gzip-file-as-resource" failed.',
      metadata: { 'agui.toolResultState': 'error' },
    });
    expect(textOf(events)).toContain('Sorry.');
    expect(app.complaints.join()).toContain('gzip-file-as-resource');
    expect(told()!.content).not.toBe('');
  });

  it('should not hold up a run that is cancelled, and go on working', async () => {
    const forever = { duration: 60, steps: 1 };
    models.script(calls('trigger-long-running-operation', forever));
    const app = await serve(platform, agentWith());
    const stream = await openStream(app);
    await stream.untilType('TOOL_CALL_END');
    await post(app, { threadId: 't1' }, { path: '/agui/cancel' });
    await stream.ended;
    expect(stream.events.at(-1)).toMatchObject({
      type: 'RUN_FINISHED',
      outcome: { type: 'cancelled' },
    });

    models.script(calls('echo', { message: 'still here' }), 'Yes.');
    const events = await run(app, inputOf({ threadId: 't2' }));
    expect(
      events.find(({ type }) => type === 'TOOL_CALL_RESULT'),
    ).toMatchObject({ content: 'Echo: still here' });
  });
});

const CASES = CLIENTS.map(([name, Client]) => ({ name, Client }));

describe.each(CASES)('A tool of an MCP server with $name', ({ Client }) => {
  refuseComplaints();

  const asking = () =>
    agentWith({
      permission: ({ name }) => (name === 'get-tiny-image' ? 'ask' : 'allow'),
    });

  it('should wait for the user, and run when approved', async () => {
    models.script(calls('get-tiny-image'), 'Nice.');
    const client = clientOf(Client, await serve('express', asking()));
    await client.runAgent();
    expect(client.messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
    ]);
    const resume = client.pendingInterrupts.map((one) =>
      answer(one, { approved: true }),
    ) as never;
    await client.runAgent({ resume });
    const result = client.messages.find(({ role }) => role === 'tool');
    expect(JSON.stringify(result)).toContain('image');
    expect(told()!.content).toContain('iVBOR');
  });

  it('should not run when refused', async () => {
    models.script(calls('get-tiny-image'), 'As you like.');
    const client = clientOf(Client, await serve('express', asking()));
    await client.runAgent();
    const resume = client.pendingInterrupts.map((one) =>
      answer(one, { approved: false }),
    ) as never;
    await client.runAgent({ resume });
    expect(JSON.stringify(client.messages)).not.toContain('iVBOR');
    expect(told()!.content).toContain('refused');
  });
});

describe('An MCP server that an application has started', () => {
  class Everything implements OnApplicationShutdown {
    private constructor(
      readonly client: MCPClient,
      readonly tools: ToolSet,
    ) {}

    static async start(): Promise<Everything> {
      const started = await startServer();
      return new Everything(started, await started.tools());
    }

    onApplicationShutdown(): Promise<void> {
      return this.client.close();
    }
  }
  const provider = {
    provide: Everything,
    useFactory: () => Everything.start(),
  };

  it('should serve an agent that injects it, and end behind the last run', async () => {
    models.script(
      calls('trigger-long-running-operation', { duration: 60, steps: 1 }),
    );
    const app = await startApp('express', {
      imports: [AguiModule.forRoot({ shutdownGrace: '5s' })],
      providers: [
        provider,
        {
          provide: 'default',
          inject: [Everything],
          useFactory: ({ tools }: Everything) => agentWith({ tools }),
        },
      ],
    });
    const { client } = app.app.get(Everything);
    const stream = await openStream(app);
    await stream.untilType('TOOL_CALL_END');
    await app.app.close();
    await stream.ended;
    expect(stream.events.at(-1)).toMatchObject({
      type: 'RUN_ERROR',
      code: 'INTERRUPTED_ERROR',
    });
    await expect(client.tools()).rejects.toThrow('closed');
  });

  it('should give the zero-code agent its tools', async () => {
    models.script(calls('echo', { message: 'hi' }), 'Said.');
    class ToolsModule {}
    const app = await startApp('express', {
      imports: [
        AiSdkAgentModule.forRootAsync({
          imports: [
            {
              module: ToolsModule,
              providers: [provider],
              exports: [Everything],
            },
          ],
          inject: [Everything],
          useFactory: ({ tools }: Everything) => ({
            model: models.model(),
            tools,
          }),
        }),
      ],
    });
    const events = await run(app);
    expect(
      events.find(({ type }) => type === 'TOOL_CALL_RESULT'),
    ).toMatchObject({ content: 'Echo: hi' });
  });
});
