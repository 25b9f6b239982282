import { jsonSchema } from 'ai';
import type { AguiEventEnricher } from 'nestjs-agui';
import { agentTool, AiSdkAgent } from 'nestjs-agui/ai-sdk';
import { afterEach, describe, expect, it } from 'vitest';
import { closeApps, PLATFORMS, serve } from './support/app.js';
import { clientOf, CLIENTS, refuseComplaints } from './support/http-agents.js';
import { calls, useMockModels } from './support/mock-models.js';

const models = useMockModels();
refuseComplaints();
afterEach(closeApps);

type Enrich = AguiEventEnricher['enrich'];
type AguiEvent = ReturnType<Enrich>[number];

const without =
  (hidden: (event: AguiEvent) => boolean): Enrich =>
  (_source, events) =>
    events.filter((event) => !hidden(event));

const CASES = PLATFORMS.flatMap((platform) =>
  CLIENTS.map(([name, Client]) => ({ platform, name, Client })),
);

describe.each(CASES)(
  'What an enricher keeps from $name on $platform',
  ({ platform, Client }) => {
    /** The roles and texts that a client holds after a run with thoughts, a call and an answer. */
    async function told(enrich: Enrich) {
      models.script(
        { content: '<think>Hm.</think>I look.', ...calls('look', {}, 'c1') },
        'It is there.',
      );
      const look = agentTool({
        inputSchema: jsonSchema<object>({ type: 'object', properties: {} }),
        execute: () => 'the secret',
      });
      const agent = new AiSdkAgent({
        model: models.model(),
        tools: { look },
        emitMessagesSnapshot: true,
      });
      const app = await serve(platform, agent, {
        enableReasoning: true,
        enrichers: [{ enrich }],
      });
      const client = clientOf(Client, app);
      await client.runAgent();
      expect(models.lastTalk().at(-1)).toMatchObject({ content: 'the secret' });
      return client.messages.map(({ role, content }) => [role, content]);
    }

    it('may be the text of a result', async () => {
      const messages = await told((_source, events) =>
        events.map((event) =>
          event.type === 'TOOL_CALL_RESULT'
            ? { ...event, content: '(hidden)' }
            : event,
        ),
      );
      expect(messages).toEqual([
        ['user', 'Hi'],
        ['reasoning', 'Hm.'],
        ['assistant', 'I look.'],
        ['tool', '(hidden)'],
        ['assistant', 'It is there.'],
      ]);
    });

    it('may be all that is about a tool', async () => {
      const messages = await told(
        without(({ type }) => type.startsWith('TOOL_CALL_')),
      );
      expect(messages).toEqual([
        ['user', 'Hi'],
        ['reasoning', 'Hm.'],
        ['assistant', 'I look.'],
        ['assistant', 'It is there.'],
      ]);
    });

    it('may be all reasoning', async () => {
      const messages = await told(
        without(({ type }) => type.startsWith('REASONING_')),
      );
      expect(messages.map(([role]) => role)).toEqual([
        'user',
        'assistant',
        'tool',
        'assistant',
      ]);
    });
  },
);
