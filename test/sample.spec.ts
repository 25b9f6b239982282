import { HttpAgent } from '@ag-ui/client';
import type { Message } from '@ag-ui/core';
import type { INestApplication } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { AppModule } from '../sample-app/src/app.module.js';

describe.each([
  ['Express', () => new ExpressAdapter()],
  ['Fastify', () => new FastifyAdapter()],
] as const)('sample application on %s', (_name, adapter) => {
  let app: INestApplication;
  let url: string;

  beforeAll(async () => {
    vi.stubEnv('SAMPLE_TOKEN_DELAY', '0');
    const module = await Test.createTestingModule({
      imports: [AppModule],
    }).compile();
    app = module.createNestApplication(adapter() as ExpressAdapter, {
      logger: false,
    });
    await app.listen(0, '127.0.0.1');
    url = `${await app.getUrl()}/agui`;
  });

  afterAll(async () => {
    vi.unstubAllEnvs();
    await app.close();
  });

  function ask(text: string, path = '/run'): HttpAgent {
    const agent = new HttpAgent({ url: url + path, threadId: 'thread' });
    agent.addMessage({ id: 'question', role: 'user', content: text });
    return agent;
  }

  function rolesOf(messages: readonly Message[]): string[] {
    return messages.map(({ role }) => role);
  }

  it('should think, ask the weather tool, and answer', async () => {
    const { newMessages } = await ask('weather in Paris').runAgent();
    expect(rolesOf(newMessages)).toEqual([
      'reasoning',
      'assistant',
      'tool',
      'assistant',
    ]);
    const [, call, result, answer] = newMessages;
    expect(call).toMatchObject({
      toolCalls: [
        {
          function: { name: 'get_weather', arguments: '{"city":"Paris"}' },
        },
      ],
    });
    expect(JSON.parse(result!.content as string)).toMatchObject({
      city: 'Paris',
    });
    expect(answer!.content).toContain('The weather in Paris is');
  });

  it('should calculate', async () => {
    const agent = ask('2 + 3 * 4', '/run/calculator');
    const { newMessages } = await agent.runAgent();
    expect(newMessages.at(-1)!.content).toBe('2 + 3 * 4 = 14');
  });

  it('should tell the time', async () => {
    const { newMessages } = await ask('what time is it?').runAgent();
    expect(newMessages.at(-1)!.content).toMatch(
      /^It is \d\d:\d\d:\d\d \(UTC\)/,
    );
  });

  it('should leave a frontend tool to the front end and go on with its answer', async () => {
    const tools = [
      {
        name: 'change_background',
        description: 'Changes the background',
        parameters: {
          type: 'object',
          properties: { background: { type: 'string' } },
        },
      },
    ];
    const agent = ask('background blue');
    const { newMessages } = await agent.runAgent({ tools });
    const call = newMessages.at(-1)!;
    expect(call).toMatchObject({
      role: 'assistant',
      toolCalls: [
        {
          function: {
            name: 'change_background',
            arguments: '{"background":"blue"}',
          },
        },
      ],
    });
    const { id } = (call as { toolCalls: { id: string }[] }).toolCalls[0]!;
    agent.addMessage({
      id: 'answer',
      role: 'tool',
      toolCallId: id,
      content: 'The background is blue.',
    });
    const second = await agent.runAgent({ tools });
    expect(second.newMessages.at(-1)!.content).toBe(
      'Done: The background is blue.',
    );
  });

  it('should say no more than text where the front end offers no tool', async () => {
    const { newMessages } = await ask('background blue').runAgent();
    expect(rolesOf(newMessages)).toEqual(['reasoning', 'assistant']);
  });

  it('should choose the agent by header', async () => {
    const agent = ask('2 + 3');
    agent.headers = { 'X-Agent-Id': 'chat' };
    const { newMessages } = await agent.runAgent();
    expect(rolesOf(newMessages)).toEqual(['reasoning', 'assistant']);
  });

  it('should send steps and the tenant', async () => {
    const events: unknown[] = [];
    const agent = ask('weather in Rome', '/run/progress');
    agent.headers = { 'X-Tenant-Id': 'acme' };
    await agent.runAgent(
      {},
      { onEvent: ({ event }) => void events.push(event) },
    );
    expect(events).toContainEqual(
      expect.objectContaining({
        type: 'STEP_STARTED',
        stepName: 'counting',
      }),
    );
    expect(events.at(-1)).toMatchObject({
      type: 'RUN_FINISHED',
      metadata: { 'sample.tenant': 'acme' },
    });
  });

  it('should say what the model calls cost', async () => {
    const events: unknown[] = [];
    await ask('weather in Rome').runAgent(
      {},
      { onEvent: ({ event }) => void events.push(event) },
    );
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'CUSTOM', name: 'token_usage' }),
    );
    expect(events.at(-1)).toMatchObject({
      type: 'RUN_FINISHED',
      usage: [{ provider: 'sample', model: 'offline' }],
    });
  });

  it('should list its agents', async () => {
    const response = await fetch(`${url}/agents`);
    const agents = (await response.json()) as { id: string }[];
    expect(agents.map(({ id }) => id)).toEqual([
      'default',
      'chat',
      'calculator',
      'approval',
      'recipe',
      'research',
      'progress',
    ]);
  });

  it('should ask before it sends an email, then send what the user made of it', async () => {
    const agent = ask('email ada@example.com', '/run/approval');
    const { newMessages } = await agent.runAgent();
    expect(rolesOf(newMessages)).toEqual(['reasoning', 'assistant']);
    const [interrupt] = agent.pendingInterrupts;
    expect(interrupt).toMatchObject({
      reason: 'tool_call',
      metadata: {
        toolName: 'send_email',
        toolInput: { to: 'ada@example.com' },
      },
    });
    const editedArgs = { to: 'bob@example.com', subject: 'Hi', body: 'Bob!' };
    const { newMessages: rest } = await agent.runAgent({
      resume: [
        {
          interruptId: interrupt!.id,
          status: 'resolved',
          payload: { approved: true, editedArgs },
        },
      ],
    });
    expect(rest.map(({ content }) => content)).toEqual([
      'Email sent to bob@example.com',
      'Done: Email sent to bob@example.com',
    ]);
  });

  it('should not send an email that the user refuses', async () => {
    const agent = ask('email ada@example.com', '/run/approval');
    await agent.runAgent();
    const [interrupt] = agent.pendingInterrupts;
    const { newMessages } = await agent.runAgent({
      resume: [
        {
          interruptId: interrupt!.id,
          status: 'resolved',
          payload: { approved: false, reason: 'not today' },
        },
      ],
    });
    expect(newMessages[0]).toMatchObject({ role: 'tool' });
    expect(newMessages[0]!.content).toContain('not today');
    expect(newMessages.at(-1)!.content).toContain('nothing was done');
  });

  it('should change the shared recipe by deltas', async () => {
    const agent = ask('a recipe for tomato soup', '/run/recipe');
    const types: string[] = [];
    await agent.runAgent(
      {},
      { onEvent: ({ event }) => void types.push(event.type) },
    );
    expect(agent.state).toEqual({
      recipe: { title: 'tomato soup', ingredients: ['salt', 'olive oil'] },
    });
    expect(types).toContain('STATE_DELTA');
    expect(types).not.toContain('TOOL_CALL_START');
    agent.addMessage({ id: 'more', role: 'user', content: 'add tomatoes' });
    await agent.runAgent();
    expect(agent.state).toMatchObject({
      recipe: { ingredients: ['salt', 'olive oil', 'tomatoes'] },
    });
  });

  it('should have two subagents research at the same time', async () => {
    const agent = ask('research the moon', '/run/research');
    const types: string[] = [];
    const { newMessages } = await agent.runAgent(
      {},
      { onEvent: ({ event }) => void types.push(event.type) },
    );
    const begun = types.flatMap((type, n) =>
      type === 'SUBAGENT_STARTED' ? [n] : [],
    );
    expect(begun).toHaveLength(2);
    expect(types.indexOf('SUBAGENT_FINISHED')).toBeGreaterThan(begun[1]!);
    expect(newMessages.at(-1)!.content).toMatch(
      /The web says: .*The library says: /,
    );
  });
});
