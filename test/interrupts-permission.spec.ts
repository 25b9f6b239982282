import { jsonSchema, tool } from 'ai';
import { afterEach, describe, expect, it } from 'vitest';
import { agentTool, type AiSdkAgentOptions } from 'nestjs-agui/ai-sdk';
import { z } from 'zod';
import { closeApps, PLATFORMS, serve } from './support/app.js';
import { inputOf, run, typesOf, type Received } from './support/client.js';
import { answer, interruptsOf, resume } from './support/interrupting.js';
import { MAIL, mailer } from './support/mailer.js';
import { calls, together, useMockModels } from './support/mock-models.js';
import { mail, resultsIn } from './support/permission.js';

const models = useMockModels();
afterEach(closeApps);
const toolMessages = () =>
  models.lastTalk().filter(({ role }) => role === 'tool');
const withoutArgs = (events: readonly Received[]) =>
  typesOf(events).filter((type) => type !== 'TOOL_CALL_ARGS');
const argsIn = (events: readonly Received[]) =>
  events
    .filter(({ type }) => type === 'TOOL_CALL_ARGS')
    .map(({ delta }) => delta as string)
    .join('');

describe.each(PLATFORMS)('Permission on %s', (platform) => {
  async function asked(
    options: Partial<AiSdkAgentOptions> = {},
    send: Parameters<typeof mailer>[2] = {},
  ) {
    const { agent, sent } = mailer(models.model(), options, send);
    const app = await serve(platform, agent);
    const events = await run(app);
    return { app, sent, events, interrupts: interruptsOf(events) };
  }

  it('should be asked with the whole call before anything is done', async () => {
    models.script(mail());
    const { events, sent } = await asked();
    expect(withoutArgs(events)).toEqual([
      'RUN_STARTED',
      'TOOL_CALL_START',
      'TOOL_CALL_END',
      'RUN_FINISHED',
    ]);
    expect(argsIn(events)).toBe(JSON.stringify(MAIL));
    const [interrupt] = interruptsOf(events);
    const replyId = events[1]!['parentMessageId'] as string;
    expect(interrupt).toEqual({
      id: `${replyId}:c1`,
      reason: 'tool_call',
      toolCallId: 'c1',
      message: expect.stringContaining('send_email') as string,
      responseSchema: {
        type: 'object',
        properties: {
          approved: { type: 'boolean' },
          editedArgs: {
            type: 'object',
            description: expect.any(String) as string,
          },
        },
        required: ['approved'],
      },
      metadata: {
        'agentscope.interruptKind': 'permission_confirm',
        toolName: 'send_email',
        toolInput: MAIL,
        toolContent: JSON.stringify(MAIL),
        replyId,
      },
    });
    expect(sent).toEqual([]);
    expect(models.requests()).toHaveLength(1);
  });

  it('should let an approved call run once, and tell the model its result', async () => {
    models.script(mail(), 'It is sent.');
    const { app, sent, interrupts } = await asked();
    const events = await resume(
      app,
      [answer(interrupts[0]!, { approved: true })],
      { messages: [] },
    );
    expect(sent).toEqual([MAIL]);
    expect(typesOf(events)).toEqual([
      'RUN_STARTED',
      'TOOL_CALL_RESULT',
      'TEXT_MESSAGE_START',
      'TEXT_MESSAGE_CONTENT',
      'TEXT_MESSAGE_END',
      'RUN_FINISHED',
    ]);
    expect(resultsIn(events)).toEqual([
      { toolCallId: 'c1', content: 'Email sent to ada@example.com' },
    ]);
    expect(models.lastTalk()).toMatchObject([
      {
        role: 'assistant',
        tool_calls: [
          {
            id: 'c1',
            function: { name: 'send_email', arguments: JSON.stringify(MAIL) },
          },
        ],
      },
      {
        role: 'tool',
        tool_call_id: 'c1',
        content: 'Email sent to ada@example.com',
      },
    ]);
  });

  it('should add no turn of the user to the conversation', async () => {
    models.script(mail(), 'It is sent.');
    const { app, interrupts } = await asked();
    await resume(app, [answer(interrupts[0]!, { approved: true })]);
    expect(models.lastTalk().map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
    ]);
  });

  const REFUSALS: [string, object][] = [
    ['refused', answer('i', { approved: false })],
    ['refused without a payload', answer('i')],
    ['answered by null', answer('i', null)],
    ['answered by a text', answer('i', 'true')],
    ['approved by a text', answer('i', { approved: 'true' })],
    ['approved by a number', answer('i', { approved: 1 })],
    ['approved under another name', answer('i', { Approved: true })],
    ['cancelled', answer('i', undefined, 'cancelled')],
    ['cancelled and approved', answer('i', { approved: true }, 'cancelled')],
  ];

  it.each(REFUSALS)(
    'should keep a call that is %s from running',
    async (_how, entry) => {
      models.script(mail(), 'I did not.');
      const { app, sent, interrupts } = await asked();
      const events = await resume(app, [
        { ...entry, interruptId: interrupts[0]!.id },
      ]);
      expect(sent).toEqual([]);
      const [told] = toolMessages();
      expect(told).toMatchObject({ tool_call_id: 'c1' });
      expect(told!.content).toContain('The user refused this call');
      expect(told!.content).toContain('nothing was done');
      expect(resultsIn(events)).toEqual([
        {
          toolCallId: 'c1',
          content: told!.content,
          metadata: { 'agui.toolResultState': 'denied' },
        },
      ]);
      expect(events.at(-1)).toMatchObject({ type: 'RUN_FINISHED' });
    },
  );

  it('should tell the model why the user refused', async () => {
    models.script(mail(), 'I did not.');
    const { app, interrupts } = await asked();
    await resume(app, [
      answer(interrupts[0]!, { approved: false, reason: 'wrong file' }),
    ]);
    expect(toolMessages()[0]!.content).toContain('wrong file');
  });

  it('should hide from the client what an approved tool failed of', async () => {
    models.script(mail(), 'Sorry.');
    const { app, interrupts } = await asked(
      {},
      {
        execute: () => {
          throw new Error('connect ECONNREFUSED 10.0.0.7:25');
        },
      },
    );
    const events = await resume(app, [
      answer(interrupts[0]!, { approved: true }),
    ]);
    expect(resultsIn(events)).toEqual([
      {
        toolCallId: 'c1',
        content: 'The tool "send_email" failed.',
        metadata: { 'agui.toolResultState': 'error' },
      },
    ]);
    expect(toolMessages()[0]!.content).toContain('ECONNREFUSED');
    expect(app.log.join('\n')).toContain('ECONNREFUSED');
    expect(events.at(-1)).toMatchObject({ type: 'RUN_FINISHED' });
  });

  it('should give an approved tool what every tool is given', async () => {
    models.script(mail(), 'Done.');
    const given: unknown[] = [];
    const { app, interrupts } = await asked(
      {},
      {
        execute: (_mail, { toolCallId, context, signal, emit }) => {
          given.push(toolCallId, context.sessionId, signal.aborted);
          emit({ type: 'CUSTOM', name: 'progress', value: 1 });
        },
      },
    );
    const events = await resume(app, [
      answer(interrupts[0]!, { approved: true }),
    ]);
    expect(given).toEqual(['c1', 't1', false]);
    expect(typesOf(events).slice(0, 3)).toEqual([
      'RUN_STARTED',
      'CUSTOM',
      'TOOL_CALL_RESULT',
    ]);
  });

  it('should ask about several calls at once, and take each at its word', async () => {
    const other = { to: 'bob@example.com', subject: 'Too' };
    models.script(together(mail('c1'), mail('c2', other)), 'One is sent.');
    const { app, sent, interrupts } = await asked();
    expect(interrupts.map(({ toolCallId }) => toolCallId)).toEqual([
      'c1',
      'c2',
    ]);
    expect(new Set(interrupts.map(({ id }) => id)).size).toBe(2);
    const events = await resume(app, [
      answer(interrupts[1]!, { approved: true }),
      answer(interrupts[0]!, { approved: false }),
    ]);
    expect(sent).toEqual([other]);
    expect(
      new Set(resultsIn(events).map(({ toolCallId }) => toolCallId)),
    ).toEqual(new Set(['c1', 'c2']));
    const told = toolMessages().map(({ tool_call_id, content }) => [
      tool_call_id,
      content!.includes('refused'),
    ]);
    expect(Object.fromEntries(told)).toEqual({ c1: true, c2: false });
  });

  it('should leave calls in the same turn alone that need no consent', async () => {
    let looked = 0;
    const look = agentTool({
      description: 'Looks',
      inputSchema: z.object({}),
      execute: () => `looked ${++looked}`,
    });
    models.script(together(calls('look', {}, 'c0'), mail('c1')), 'Done.');
    const { app, sent, events, interrupts } = await asked({ tools: { look } });
    expect(withoutArgs(events).sort()).toEqual([
      'RUN_FINISHED',
      'RUN_STARTED',
      'TOOL_CALL_END',
      'TOOL_CALL_END',
      'TOOL_CALL_RESULT',
      'TOOL_CALL_START',
      'TOOL_CALL_START',
    ]);
    expect(resultsIn(events)).toEqual([
      { toolCallId: 'c0', content: 'looked 1' },
    ]);
    const replyId = events[1]!['parentMessageId'];
    const call = (id: string, name: string, args: object) => ({
      id,
      type: 'function',
      function: { name, arguments: JSON.stringify(args) },
    });
    await resume(app, [answer(interrupts[0]!, { approved: true })], {
      messages: [
        { id: 'u1', role: 'user', content: 'Hi' },
        {
          id: replyId,
          role: 'assistant',
          toolCalls: [call('c0', 'look', {}), call('c1', 'send_email', MAIL)],
        },
        {
          id: 'c0-result',
          role: 'tool',
          toolCallId: 'c0',
          content: 'looked 1',
        },
      ],
    });
    expect(looked).toBe(1);
    expect(sent).toEqual([MAIL]);
    expect(models.lastTalk().map(({ content }) => content)).toEqual([
      'Hi',
      null,
      'looked 1',
      'Email sent to ada@example.com',
    ]);
  });

  it("should wait for the user's consent and the front end's result together", async () => {
    const tools = [
      {
        name: 'pick',
        description: 'Picks a colour',
        parameters: { type: 'object', properties: {} },
      },
    ];
    models.script(together(calls('pick', {}, 'c0'), mail('c1')), 'Done.');
    const { agent, sent } = mailer(models.model());
    const app = await serve(platform, agent);
    const events = await run(app, inputOf({ tools }));
    const interrupts = interruptsOf(events);
    expect(interrupts.map(({ toolCallId }) => toolCallId)).toEqual(['c1']);
    const call = (id: string, name: string, args: object) => ({
      id,
      type: 'function',
      function: { name, arguments: JSON.stringify(args) },
    });
    await resume(app, [answer(interrupts[0]!, { approved: true })], {
      tools,
      messages: [
        { id: 'u1', role: 'user', content: 'Hi' },
        {
          id: 'a1',
          role: 'assistant',
          toolCalls: [call('c0', 'pick', {}), call('c1', 'send_email', MAIL)],
        },
        { id: 'm1', role: 'tool', toolCallId: 'c0', content: 'blue' },
      ],
    });
    expect(sent).toEqual([MAIL]);
    expect(toolMessages().map(({ content }) => content)).toEqual([
      'blue',
      'Email sent to ada@example.com',
    ]);
    expect(
      models
        .requests()
        .at(-1)!
        .tools!.map((one) => one.function.name)
        .sort(),
    ).toEqual(['pick', 'send_email']);
  });

  it('should keep what the model wrote until the tool runs', async () => {
    const runs: unknown[] = [];
    const remind = tool({
      inputSchema: z.object({
        days: z.string().transform((text) => text.length),
      }),
      needsApproval: ({ days }) => days === 3,
      execute: (input: { days: number }) => void runs.push(input),
    });
    models.script(calls('remind', { days: '***' }, 'c1'), 'Done.');
    const { app, interrupts } = await asked({ tools: { remind } });
    expect(interrupts[0]!.metadata).toMatchObject({
      toolInput: { days: '***' },
    });
    await resume(app, [answer(interrupts[0]!, { approved: true })]);
    expect(runs).toEqual([{ days: 3 }]);
    expect(models.lastTalk()[1]!.tool_calls![0]!.function.arguments).toBe(
      '{"days":"***"}',
    );
  });

  it('should take the last word of an approved tool that tells how far it is', async () => {
    const travel = tool({
      inputSchema: jsonSchema<object>({ type: 'object', properties: {} }),
      needsApproval: true,
      async *execute() {
        yield 'on the way';
        yield 'there';
      },
    });
    models.script(calls('travel', {}, 'c1'), 'Done.');
    const { app, interrupts } = await asked({ tools: { travel } });
    const events = await resume(app, [
      answer(interrupts[0]!, { approved: true }),
    ]);
    expect(resultsIn(events)).toEqual([{ toolCallId: 'c1', content: 'there' }]);
  });

  it('should say that there is no such tool any more', async () => {
    models.script(mail(), 'Sorry.');
    const tools: Record<string, ReturnType<typeof tool>> = {};
    const { agent, sent } = mailer(models.model());
    Object.assign(tools, agent.options.tools);
    const app = await serve(platform, agent);
    const [interrupt] = interruptsOf(await run(app));
    delete agent.options.tools!['send_email'];
    const events = await resume(app, [answer(interrupt!, { approved: true })]);
    expect(sent).toEqual([]);
    expect(toolMessages()[0]!.content).toBe('There is no tool "send_email".');
    expect(events.at(-1)).toMatchObject({ type: 'RUN_FINISHED' });
  });
});
