import { HttpAgent } from '@ag-ui/client';
import type { Message } from '@ag-ui/core';
import type { INestApplication } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { OpenAPIObject } from '@nestjs/swagger';
import { Test } from '@nestjs/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { serveApiDocument } from '../sample-app/src/api-document.js';
import { AppModule } from '../sample-app/src/app.module.js';
import { eventsOf, inputOf, run, typesOf } from './support/client.js';
import { tryOut } from './support/openapi.js';

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
    serveApiDocument(app);
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

  /** What an agent answers to a text: its last message. */
  async function answerTo(text: string, path?: string): Promise<string> {
    const { newMessages } = await ask(text, path).runAgent();
    return newMessages.at(-1)!.content as string;
  }

  /** A conversation at whose end the front end says that a tool gave this. */
  function withResult(name: string, content: string, path?: string) {
    const agent = ask('Go on', path);
    agent.addMessage({
      id: 'call',
      role: 'assistant',
      toolCalls: [
        { id: 'c1', type: 'function', function: { name, arguments: '{}' } },
      ],
    });
    agent.addMessage({ id: 'r', role: 'tool', toolCallId: 'c1', content });
    return agent;
  }

  function rolesOf(messages: readonly Message[]): string[] {
    return messages.map(({ role }) => role);
  }

  it('should say that it is healthy', async () => {
    const response = await fetch(`${await app.getUrl()}/health`);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      status: 'ok',
      details: { agui: { status: 'up', draining: false } },
    });
  });

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

  it('should have a page, or say how to have one, and the model behind it', async () => {
    const page = await fetch(url.replace('/agui', '/'));
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(await page.text()).toContain('nestjs-agui</title>');
    const sample = await fetch(url.replace('/agui', '/sample.json'));
    expect(await sample.json()).toEqual({ model: null });
  });

  it('should describe its API, and show it', async () => {
    const base = url.replace('/agui', '');
    const response = await fetch(`${base}/api-json`);
    const document = (await response.json()) as OpenAPIObject;
    expect(Object.keys(document.paths)).toEqual(
      expect.arrayContaining(['/agui/run/{agentId}', '/agui/agents']),
    );
    const tried = await tryOut({ url: base, document }, '/agui/run');
    expect(typesOf(await eventsOf(tried)).at(-1)).toBe('RUN_FINISHED');
    const page = await fetch(`${base}/api`);
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(await page.text()).toContain('swagger-ui-init.js');
    const script = await fetch(`${base}/api/swagger-ui-init.js`);
    expect(await script.text()).toContain('/agui/run');
  });

  it('should go on with what the user has chosen on the page', async () => {
    const tool = {
      name: 'choose_option',
      description: 'Lets the user choose',
      parameters: { type: 'object', properties: {} },
    };
    const agent = ask('let me choose between tea, coffee and cocoa.');
    const { newMessages } = await agent.runAgent({ tools: [tool] });
    const { toolCalls } = newMessages.at(-1) as {
      toolCalls: { id: string; function: { arguments: string } }[];
    };
    const [call] = toolCalls;
    expect(JSON.parse(call!.function.arguments)).toMatchObject({
      options: ['tea', 'coffee', 'cocoa'],
    });
    agent.addMessage({
      id: 'chosen',
      role: 'tool',
      toolCallId: call!.id,
      content: '{"choice":"tea"}',
    });
    const second = await agent.runAgent({ tools: [tool] });
    expect(second.newMessages.at(-1)!.content).toContain('chosen tea');
  });

  it('should fail on purpose, and say no more than it should', async () => {
    const events: { type: string }[] = [];
    await ask('fail on purpose', '/run/chat')
      .runAgent({}, { onEvent: ({ event }) => void events.push({ ...event }) })
      .catch(() => undefined);
    expect(events.at(-1)).toMatchObject({ type: 'RUN_ERROR' });
    expect(JSON.stringify(events.at(-1))).not.toContain('was asked to fail');
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

  it.each([
    ['/run', ['weather in Paris', '2 + 3 * 4', 'what time it is'], ['email']],
    ['/run/chat', ['no tools'], ['weather', '2 + 3']],
    ['/run/calculator', ['2 + 3 * 4'], ['weather', 'time']],
    ['/run/approval', ['to email ada@example.com'], ['weather', '2 + 3']],
    ['/run/recipe', ['a recipe for tomato soup'], ['weather', '2 + 3']],
  ])(
    'should offer at %s what can be asked there, and nothing else',
    async (path, offered, others) => {
      const answer = await answerTo('Hello there', path);
      for (const offer of offered) expect(answer).toContain(offer);
      for (const other of others) expect(answer).not.toContain(other);
    },
  );

  it('should offer what the front end brings along', async () => {
    const { newMessages } = await ask('Hello', '/run/chat').runAgent({
      tools: [
        {
          name: 'change_background',
          description: 'Changes it',
          parameters: {},
        },
      ],
    });
    expect(newMessages.at(-1)!.content).toContain('for the background blue');
  });

  it.each([
    ['1/0', 'Nothing can be divided by zero.'],
    ['5 % (2 - 2)', 'Nothing can be divided by zero.'],
    ['2^99999', 'The result is too large.'],
    ['(0-8)^0.5', 'This has no real value.'],
    ['2 + (3', 'A bracket is missing.'],
    ['2 + + 3', 'This is no arithmetic expression.'],
    [`${'('.repeat(50_000)}1+1)`, 'This is nested too deeply.'],
    [`${'2^'.repeat(50_000)}2`, 'This is nested too deeply.'],
  ])('should say why there is no result (%#)', async (question, why) => {
    const agent = ask(question, '/run/calculator');
    const { newMessages } = await agent.runAgent();
    expect(newMessages.at(-1)!.content).toContain(why);
    expect(newMessages.at(-2)).toMatchObject({ role: 'tool', content: why });
  });

  it.each([
    ['brackets', '('.repeat(100_000)],
    ['brackets and spaces', '( '.repeat(50_000)],
    ['signs', '-'.repeat(100_000)],
    ['digits', '1 '.repeat(50_000)],
    ['full stops', `recipe for ${'.'.repeat(100_000)}a`],
  ])(
    'should understand a long message of %s at once',
    async (_what, content) => {
      const begun = performance.now();
      for (const agent of ['default', 'recipe']) {
        const app = { url: url.replace('/agui', '') };
        const input = inputOf({
          threadId: 'long',
          messages: [{ id: 'long', role: 'user', content }],
        });
        const events = await run(app, input, { path: `/agui/run/${agent}` });
        expect(events.at(-1)).toMatchObject({ type: 'RUN_FINISHED' });
      }
      expect(performance.now() - begun).toBeLessThan(4_000);
    },
  );

  it.each(['get_weather', 'calculate', 'get_current_time'])(
    'should survive a result of %s that it cannot read',
    async (tool) => {
      for (const content of ['null', 'not json', '5', '[]', '{}', '""'])
        expect(
          (await withResult(tool, content).runAgent()).newMessages,
        ).toMatchObject([
          { content: `The tool ${tool} gave what I cannot read: ${content}` },
        ]);
    },
  );

  it.each([
    null,
    'text',
    5,
    [],
    { recipe: null },
    { recipe: { ingredients: 5 } },
  ])(
    'should write a recipe into whatever the page shares (%j)',
    async (state) => {
      const agent = ask('add tomatoes', '/run/recipe');
      agent.state = state as never;
      await agent.runAgent();
      expect(agent.state).toEqual({
        recipe: { title: '', ingredients: ['tomatoes'] },
      });
    },
  );

  it.each([
    ['/run', 'Hello! Ask me for the weather in Paris'],
    ['/run/chat', 'Hello! I have no tools'],
    ['/run/calculator', 'Hello! Ask me for 2 + 3 * 4.'],
    ['/run/approval', 'Hello! Ask me to email'],
    ['/run/recipe', 'Hello! Ask me for a recipe'],
    ['/run/research', 'Hello! Ask me to research'],
    ['/run/progress', 'I have read 0 words'],
  ])(
    'should greet at %s who says nothing, without a model call',
    async (path, greeting) => {
      const agent = new HttpAgent({ url: url + path, threadId: 'thread' });
      const events: Record<string, unknown>[] = [];
      const { newMessages } = await agent.runAgent(
        {},
        { onEvent: ({ event }) => void events.push({ ...event }) },
      );
      expect(newMessages).toHaveLength(1);
      expect(newMessages[0]!.content).toContain(greeting);
      expect(events.at(-1)).toMatchObject({ type: 'RUN_FINISHED' });
      expect(events.at(-1)).not.toHaveProperty('usage');
      expect(events.map(({ name }) => name)).not.toContain('token_usage');
    },
  );
});
