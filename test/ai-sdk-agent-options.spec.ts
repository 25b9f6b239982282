import { jsonSchema } from 'ai';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  agentTool,
  AiSdkAgent,
  type AiSdkAgentOptions,
} from 'nestjs-agui/ai-sdk';
import { closeApps, PLATFORMS, serve } from './support/app.js';
import { inputOf, run, typesOf, type Received } from './support/client.js';
import { answer, interruptsOf, resume } from './support/interrupting.js';
import { calls, useMockModels } from './support/mock-models.js';
import { resultsOf } from './support/model-run.js';

const models = useMockModels();
afterEach(closeApps);

const PARAMETERS = {
  type: 'object',
  properties: { action: { type: 'string' } },
  required: ['action'],
};
const APPROVAL = {
  name: 'request_approval',
  description: 'Asks the user to approve an action',
  parameters: PARAMETERS,
};
const PICK = { ...APPROVAL, name: 'pick' };
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

const stateEventsIn = (events: readonly Received[]) =>
  events.filter(({ type }) => type.startsWith('STATE_'));
const outcomeOf = (events: readonly Received[]) => events.at(-1)!['outcome'];
const offered = () =>
  models.requests()[0]!.tools?.map((tool) => tool.function.name);
const systemPrompt = () =>
  models
    .requests()[0]!
    .messages.filter(({ role }) => role === 'system')
    .map(({ content }) => content)
    .join('\n');

describe.each(PLATFORMS)('An option of AiSdkAgent on %s', (platform) => {
  const start = (options: Partial<AiSdkAgentOptions> = {}) =>
    serve(platform, new AiSdkAgent({ model: models.model(), ...options }));

  /** A run of an agent with these options, with a state and a tool of the front end's. */
  const runWith = async (
    options: Partial<AiSdkAgentOptions> = {},
    input: Record<string, unknown> = {},
  ) => run(await start(options), inputOf({ state: { n: 1 }, ...input }));

  describe('tools', () => {
    it('should be none by default', async () => {
      models.script('Hello.');
      await runWith();
      expect(offered()).toBeUndefined();
    });

    it('should be executed by the agent itself', async () => {
      models.script(calls('weather', { city: 'Rome' }, 'c1'), 'Sunny.');
      const execute = vi.fn<() => string>(() => 'sunny');
      const events = await runWith({
        tools: {
          weather: agentTool({
            inputSchema: jsonSchema<object>({ type: 'object' }),
            execute,
          }),
        },
      });
      expect(execute).toHaveBeenCalledTimes(1);
      expect(resultsOf(events)).toEqual({ c1: 'sunny' });
      expect(models.lastTalk().at(-1)).toMatchObject({ content: 'sunny' });
    });
  });

  describe('shareState', () => {
    it('should be false by default', async () => {
      models.script('Hello.');
      const events = await runWith();
      expect(stateEventsIn(events)).toEqual([]);
      expect(offered()).toBeUndefined();
      expect(systemPrompt()).toBe('');
    });

    it('should tell the state, and let the model change it', async () => {
      models.script(
        calls('update_state', { state: { n: 2 } }, 'c1'),
        'Changed.',
      );
      const events = await runWith({ shareState: true });
      expect(offered()).toEqual(['update_state']);
      expect(stateEventsIn(events)).toMatchObject([
        { snapshot: { n: 1 } },
        { snapshot: { n: 2 } },
      ]);
      expect(typesOf(events)).not.toContain('TOOL_CALL_START');
    });
  });

  describe('stateUpdates', () => {
    const updates = async (stateUpdates?: 'SNAPSHOT' | 'DELTA') => {
      models.script(calls('update_state', { state: { n: 2 } }), 'Changed.');
      const events = await runWith({ shareState: true, stateUpdates });
      return stateEventsIn(events).slice(1);
    };

    it('should be SNAPSHOT by default', async () => {
      expect(await updates()).toEqual([
        { type: 'STATE_SNAPSHOT', snapshot: { n: 2 } },
      ]);
    });

    it('should tell the whole state by SNAPSHOT', async () => {
      expect(await updates('SNAPSHOT')).toEqual([
        { type: 'STATE_SNAPSHOT', snapshot: { n: 2 } },
      ]);
    });

    it('should tell what has changed by DELTA', async () => {
      expect(await updates('DELTA')).toEqual([
        {
          type: 'STATE_DELTA',
          delta: [{ op: 'replace', path: '/n', value: 2 }],
        },
      ]);
    });
  });

  describe('statePrompt', () => {
    const prompt = async (
      options: Pick<AiSdkAgentOptions, 'statePrompt'> = {},
    ) => {
      models.script('Hello.');
      await runWith({ shareState: true, system: 'Be brief.', ...options });
      return systemPrompt();
    };

    it('should have the state as JSON by default', async () => {
      expect(await prompt()).toMatch(/^Be brief\.[^]*\{"n":1\}/);
    });

    it('should put the state into words', async () => {
      const statePrompt = (state: unknown) =>
        `There are ${(state as { n: number }).n}.`;
      expect(await prompt({ statePrompt })).toMatch(
        /^Be brief\.\s+There are 1\.$/,
      );
    });

    it.each([null, '', ' \n'])('should leave it out by %j', async (nothing) => {
      expect(await prompt({ statePrompt: () => nothing })).toBe('Be brief.');
    });
  });

  describe('emitInterruptOutcome', () => {
    const pending = (emitInterruptOutcome?: boolean) => {
      models.script(calls('pick', { action: 'x' }, 'c1'));
      return runWith({ emitInterruptOutcome }, { tools: [PICK] });
    };

    it('should be false by default', async () => {
      expect(outcomeOf(await pending())).toEqual({
        type: 'success',
        pendingToolCallIds: ['c1'],
      });
    });

    it('should end the run with an interrupt per pending call of the front end', async () => {
      const events = await pending(true);
      expect(outcomeOf(events)).toMatchObject({
        type: 'interrupt',
        interrupts: [{ reason: 'tool_call', toolCallId: 'c1' }],
      });
      expect(typesOf(events)).toContain('TOOL_CALL_END');
    });
  });

  describe('interruptTools', () => {
    it('should be none by default', async () => {
      models.script('Hello.');
      await runWith();
      expect(offered()).toBeUndefined();
    });

    it.each([undefined, false, true])(
      'should pause the run, with emitInterruptOutcome: %s',
      async (emitInterruptOutcome) => {
        models.script(
          calls('request_approval', { action: 'x' }, 'c1'),
          'Thanks.',
        );
        const app = await start({
          interruptTools: [APPROVAL],
          emitInterruptOutcome,
        });
        const [interrupt, ...others] = interruptsOf(await run(app));
        expect(offered()).toEqual(['request_approval']);
        expect(others).toEqual([]);
        expect(interrupt).toMatchObject({
          reason: 'input_required',
          toolCallId: 'c1',
          responseSchema: PARAMETERS,
        });
        await resume(app, [answer(interrupt!, { action: 'y' })]);
        expect(models.lastTalk().at(-1)).toMatchObject({
          role: 'tool',
          tool_call_id: 'c1',
          content: '{"action":"y"}',
        });
      },
    );
  });

  describe('emitMessagesSnapshot', () => {
    const last = async (emitMessagesSnapshot?: boolean) => {
      models.script('Hello.');
      return (await runWith({ emitMessagesSnapshot })).at(-2)!;
    };

    it('should be false by default', async () => {
      expect(await last()).toMatchObject({ type: 'TEXT_MESSAGE_END' });
    });

    it('should tell the conversation just before RUN_FINISHED', async () => {
      expect(await last(true)).toMatchObject({
        type: 'MESSAGES_SNAPSHOT',
        messages: [
          { id: 'u1', role: 'user', content: 'Hi' },
          { role: 'assistant', content: 'Hello.' },
        ],
      });
    });
  });

  describe('messageIdGenerator', () => {
    const look = agentTool({
      inputSchema: jsonSchema<object>({ type: 'object' }),
      execute: () => 'seen',
    });

    /** The ids of the two messages that the model says. */
    const ids = async (
      options: Pick<AiSdkAgentOptions, 'messageIdGenerator'> = {},
    ) => {
      models.script({ content: 'I look.', ...calls('look') }, 'Seen.');
      const events = await runWith({ tools: { look }, ...options });
      return events
        .filter(({ type }) => type === 'TEXT_MESSAGE_START')
        .map(({ messageId }) => messageId as string);
    };

    it('should make random UUIDs by default', async () => {
      const made = [...(await ids()), ...(await ids())];
      for (const id of made) expect(id).toMatch(UUID);
      expect(new Set(made).size).toBe(4);
    });

    it('should make the ids of messages', async () => {
      const made: string[] = [];
      const messageIdGenerator = () => made[made.push(`m-${made.length}`) - 1]!;
      const [first, second] = await ids({ messageIdGenerator });
      expect(made).toContain(first);
      expect(made).toContain(second);
      expect(first).not.toBe(second);
    });
  });
});
