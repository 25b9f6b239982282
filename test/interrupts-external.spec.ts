import { jsonSchema } from 'ai';
import { afterEach, describe, expect, it } from 'vitest';
import {
  agentTool,
  AiSdkAgent,
  ToolSuspend,
  type AiSdkAgentOptions,
} from 'nestjs-agui/ai-sdk';
import { closeApps, PLATFORMS, serve } from './support/app.js';
import { inputOf, run, typesOf, type Received } from './support/client.js';
import {
  answer,
  interruptsOf,
  refusalOf,
  resume,
} from './support/interrupting.js';
import { MAIL, mailer } from './support/mailer.js';
import { calls, together, useMockModels } from './support/mock-models.js';

const models = useMockModels();
afterEach(closeApps);

const noArguments = jsonSchema<object>({ type: 'object', properties: {} });

/** A tool that somebody else executes. */
const deploy = (message?: string, needsApproval?: boolean) =>
  agentTool({
    description: 'Deploys',
    inputSchema: noArguments,
    needsApproval,
    execute: () => {
      throw new ToolSuspend(message);
    },
  });

const APPROVAL = {
  name: 'request_approval',
  description: 'Ask the user to approve an action',
  parameters: {
    type: 'object',
    properties: { action: { type: 'string' } },
    required: ['action'],
  },
};

const PICK = {
  name: 'pick',
  description: 'Picks a colour',
  parameters: { type: 'object', properties: {} },
};

const toolMessages = () =>
  models.lastTalk().filter(({ role }) => role === 'tool');

const withoutArgs = (events: readonly Received[]) =>
  typesOf(events).filter((type) => type !== 'TOOL_CALL_ARGS');

const ASKING = [
  'RUN_STARTED',
  'TOOL_CALL_START',
  'TOOL_CALL_END',
  'RUN_FINISHED',
];

describe.each(PLATFORMS)('What others answer, on %s', (platform) => {
  const start = (options: Partial<AiSdkAgentOptions>) =>
    serve(platform, new AiSdkAgent({ model: models.model(), ...options }));

  describe('a suspended tool', () => {
    it('should interrupt the run after its call was told, without a result', async () => {
      models.script(calls('deploy', { to: 'prod' }, 'c1'));
      const app = await start({ tools: { deploy: deploy('Deploy, please') } });
      const events = await run(app);
      expect(withoutArgs(events)).toEqual(ASKING);
      const replyId = events[1]!['parentMessageId'] as string;
      expect(interruptsOf(events)).toEqual([
        {
          id: `${replyId}:c1`,
          reason: 'tool_call',
          toolCallId: 'c1',
          message: 'Deploy, please',
          metadata: {
            toolName: 'deploy',
            toolInput: { to: 'prod' },
            toolContent: '{"to":"prod"}',
            replyId,
          },
        },
      ]);
      expect(models.requests()).toHaveLength(1);
    });

    it('should say nothing of itself if it has nothing to say', async () => {
      models.script(calls('deploy', {}, 'c1'));
      const app = await start({ tools: { deploy: deploy() } });
      expect(interruptsOf(await run(app))[0]).not.toHaveProperty('message');
    });

    it.each([
      ['text', 'deployed', 'deployed'],
      ['an object', { url: 'https://x' }, '{"url":"https://x"}'],
      ['nothing', undefined, ''],
    ])('should take %s as its result', async (_what, payload, content) => {
      models.script(calls('deploy', { to: 'prod' }, 'c1'), 'Done.');
      const app = await start({ tools: { deploy: deploy() } });
      const [interrupt] = interruptsOf(await run(app));
      const events = await resume(app, [answer(interrupt!, payload)], {
        messages: [],
      });
      expect(typesOf(events)).toContain('TEXT_MESSAGE_CONTENT');
      expect(events[1]).toMatchObject({
        type: 'TOOL_CALL_RESULT',
        toolCallId: 'c1',
        content,
      });
      expect(models.lastTalk()).toMatchObject([
        {
          role: 'assistant',
          tool_calls: [
            {
              id: 'c1',
              function: { name: 'deploy', arguments: '{"to":"prod"}' },
            },
          ],
        },
        { role: 'tool', tool_call_id: 'c1', content },
      ]);
    });

    it('should tell the model that it was cancelled', async () => {
      models.script(calls('deploy', {}, 'c1'), 'Well.');
      const app = await start({ tools: { deploy: deploy() } });
      const [interrupt] = interruptsOf(await run(app));
      const events = await resume(app, [
        answer(interrupt!, 'deployed', 'cancelled'),
      ]);
      expect(toolMessages()[0]!.content).toBe('Interrupt cancelled by user');
      expect(events[1]).toMatchObject({
        metadata: { 'agui.toolResultState': 'interrupted' },
      });
    });

    it('should wait again after it was approved', async () => {
      models.script(calls('deploy', { to: 'prod' }, 'c1'), 'Done.');
      const app = await start({ tools: { deploy: deploy('Now', true) } });
      const [consent] = interruptsOf(await run(app));
      const events = await resume(app, [answer(consent!, { approved: true })], {
        messages: [],
      });
      expect(typesOf(events)).toEqual(['RUN_STARTED', 'RUN_FINISHED']);
      const [interrupt] = interruptsOf(events);
      expect(interrupt).toMatchObject({
        reason: 'tool_call',
        toolCallId: 'c1',
        message: 'Now',
        metadata: { toolName: 'deploy', toolInput: { to: 'prod' } },
      });
      expect(interrupt!.metadata).not.toHaveProperty(
        'agentscope.interruptKind',
      );
      expect(models.requests()).toHaveLength(1);
      await resume(app, [answer(interrupt!, 'deployed')], { messages: [] });
      expect(toolMessages()).toMatchObject([
        { tool_call_id: 'c1', content: 'deployed' },
      ]);
    });

    it('should let the others of its turn have their results', async () => {
      const look = agentTool({
        description: 'Looks',
        inputSchema: noArguments,
        execute: () => 'seen',
      });
      models.script(
        together(calls('deploy', {}, 'c1'), calls('look', {}, 'c2')),
      );
      const app = await start({ tools: { deploy: deploy(), look } });
      const events = await run(app);
      expect(
        events.filter(({ type }) => type === 'TOOL_CALL_RESULT'),
      ).toMatchObject([{ toolCallId: 'c2', content: 'seen' }]);
      expect(interruptsOf(events)).toHaveLength(1);
    });
  });

  describe('a tool of interruptTools', () => {
    it('should ask for what its parameters describe', async () => {
      models.script(calls('request_approval', { action: 'delete' }, 'c1'));
      const app = await start({ interruptTools: [APPROVAL] });
      const events = await run(app);
      expect(withoutArgs(events)).toEqual(ASKING);
      const replyId = events[1]!['parentMessageId'] as string;
      expect(interruptsOf(events)).toEqual([
        {
          id: `${replyId}:c1`,
          reason: 'input_required',
          toolCallId: 'c1',
          message: APPROVAL.description,
          responseSchema: APPROVAL.parameters,
          metadata: {
            toolName: 'request_approval',
            toolInput: { action: 'delete' },
            toolContent: '{"action":"delete"}',
            replyId,
          },
        },
      ]);
      expect(models.requests()[0]!.tools).toMatchObject([
        {
          function: {
            name: 'request_approval',
            description: APPROVAL.description,
            parameters: APPROVAL.parameters,
          },
        },
      ]);
    });

    it('should give the model the answer as its result', async () => {
      models.script(
        calls('request_approval', { action: 'x' }, 'c1'),
        'Thanks.',
      );
      const app = await start({ interruptTools: [APPROVAL] });
      const [interrupt] = interruptsOf(await run(app));
      await resume(app, [answer(interrupt!, { action: 'approved' })]);
      expect(toolMessages()).toMatchObject([
        { tool_call_id: 'c1', content: '{"action":"approved"}' },
      ]);
    });

    it('should be offered again when the run goes on, with everything else', async () => {
      models.script(
        calls('request_approval', { action: 'x' }, 'c1'),
        'Thanks.',
      );
      const app = await start({
        interruptTools: [APPROVAL],
        tools: { deploy: deploy() },
        system: 'Be brief.',
      });
      const context = [{ description: 'the page', value: 'settings' }];
      const [interrupt] = interruptsOf(
        await run(app, inputOf({ tools: [PICK], context })),
      );
      await resume(app, [answer(interrupt!, { action: 'yes' })], {
        tools: [PICK],
        context,
      });
      const [first, second] = models.requests();
      expect(second!.tools).toEqual(first!.tools);
      expect(second!.tools).toHaveLength(3);
      expect(second!.messages[0]).toEqual(first!.messages[0]);
      expect(second!.messages[0]!.content).toContain('settings');
    });
  });

  describe("a call of the front end's, with emitInterruptOutcome", () => {
    const start1 = () => start({ emitInterruptOutcome: true });
    const called = {
      id: 'a1',
      role: 'assistant',
      toolCalls: [
        {
          id: 'c1',
          type: 'function',
          function: { name: 'pick', arguments: '{}' },
        },
      ],
    };
    const picked = {
      id: 'm1',
      role: 'tool',
      toolCallId: 'c1',
      content: 'blue',
    };

    it('should be an interrupt, told like any call', async () => {
      models.script(together(calls('pick', {}, 'c1'), calls('pick', {}, 'c2')));
      const app = await start1();
      const events = await run(app, inputOf({ tools: [PICK] }));
      expect(interruptsOf(events)).toMatchObject([
        {
          reason: 'tool_call',
          toolCallId: 'c1',
          metadata: { toolName: 'pick' },
        },
        { reason: 'tool_call', toolCallId: 'c2' },
      ]);
      expect(
        typesOf(events).filter((type) => type === 'TOOL_CALL_END'),
      ).toHaveLength(2);
    });

    it('should be answered by resume', async () => {
      models.script(calls('pick', {}, 'c1'), 'Blue it is.');
      const app = await start1();
      const [interrupt] = interruptsOf(
        await run(app, inputOf({ tools: [PICK] })),
      );
      await resume(app, [answer(interrupt!, 'blue')], { tools: [PICK] });
      expect(toolMessages()).toMatchObject([
        { tool_call_id: 'c1', content: 'blue' },
      ]);
    });

    it('should be answered by a message, as clients do that ignore outcomes', async () => {
      models.script(calls('pick', {}, 'c1'), 'Blue it is.', 'Bye.');
      const app = await start1();
      await run(app, inputOf({ tools: [PICK] }));
      const messages = [...inputOf().messages, called, picked];
      const events = await run(app, inputOf({ tools: [PICK], messages }));
      expect(withoutArgs(events)).not.toContain('TOOL_CALL_RESULT');
      expect(toolMessages()).toMatchObject([
        { tool_call_id: 'c1', content: 'blue' },
      ]);
      const again = await run(app, inputOf({ tools: [PICK], messages }));
      expect(again.at(-1)).toMatchObject({ type: 'RUN_FINISHED' });
    });

    it('should be answered by a message, though resume names it, too', async () => {
      models.script(calls('pick', {}, 'c1'), 'Blue it is.');
      const app = await start1();
      const [interrupt] = interruptsOf(
        await run(app, inputOf({ tools: [PICK] })),
      );
      await resume(app, [answer(interrupt!)], {
        tools: [PICK],
        messages: [...inputOf().messages, called, picked],
      });
      expect(toolMessages()).toMatchObject([
        { tool_call_id: 'c1', content: 'blue' },
      ]);
    });

    it('should be answered by the payload rather than by an echo of it', async () => {
      models.script(calls('pick', {}, 'c1'), 'Red it is.');
      const app = await start1();
      const [interrupt] = interruptsOf(
        await run(app, inputOf({ tools: [PICK] })),
      );
      await resume(app, [answer(interrupt!, 'red')], {
        tools: [PICK],
        messages: [
          ...inputOf().messages,
          called,
          { ...picked, content: '"red"' },
        ],
      });
      expect(toolMessages()).toMatchObject([
        { tool_call_id: 'c1', content: 'red' },
      ]);
    });

    it('should not be left unanswered', async () => {
      models.script(calls('pick', {}, 'c1'));
      const app = await start1();
      await run(app, inputOf({ tools: [PICK] }));
      expect(refusalOf(await run(app, inputOf({ tools: [PICK] })))).toContain(
        'waits for answers',
      );
    });
  });

  it('should ask everything at once that a turn asks for', async () => {
    models.script(
      together(
        calls('send_email', MAIL, 'c1'),
        calls('deploy', {}, 'c2'),
        calls('request_approval', { action: 'x' }, 'c3'),
        calls('pick', {}, 'c4'),
      ),
      'Well.',
    );
    const { agent, sent } = mailer(models.model(), {
      tools: { deploy: deploy('Please') },
      interruptTools: [APPROVAL],
      emitInterruptOutcome: true,
    });
    const app = await serve(platform, agent);
    const interrupts = interruptsOf(await run(app, inputOf({ tools: [PICK] })));
    const byCall = Object.fromEntries(
      interrupts.map((one) => [one.toolCallId, one]),
    );
    expect(Object.keys(byCall).sort()).toEqual(['c1', 'c2', 'c3', 'c4']);
    expect(byCall['c3']!.reason).toBe('input_required');
    await resume(
      app,
      [
        answer(byCall['c1']!, { approved: true }),
        answer(byCall['c2']!, 'deployed'),
        answer(byCall['c3']!, { action: 'yes' }),
        answer(byCall['c4']!, 'blue'),
      ],
      { tools: [PICK] },
    );
    expect(sent).toEqual([MAIL]);
    expect(
      Object.fromEntries(
        toolMessages().map(({ tool_call_id, content }) => [
          tool_call_id,
          content,
        ]),
      ),
    ).toEqual({
      c1: 'Email sent to ada@example.com',
      c2: 'deployed',
      c3: '{"action":"yes"}',
      c4: 'blue',
    });
  });
});
