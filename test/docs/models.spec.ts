import { describe, expect, it, vi } from 'vitest';
import { sayer } from '../support/agents.js';
import { serve, startApp } from '../support/app.js';
import { inputOf, run, textOf, typesOf } from '../support/client.js';
import { useModelServer } from '../support/model-server.js';
import { call, calls, texts } from '../support/openai-wire.js';
import {
  clientOf,
  letIn,
  useDocumentedCode,
} from '../support/documentation.js';

describe('Models of the documentation', () => {
  const { classes, appOf } = useDocumentedCode('models');
  const server = useModelServer();

  describe('should connect any model', () => {
    /** The model of the README, at this server. Modules are kept, so the first address stays. */
    const reach = () => {
      vi.stubEnv('MODEL_URL', server.url);
      vi.stubEnv('MODEL_KEY', 'key');
      vi.stubEnv('MODEL_NAME', 'my-model');
    };

    it('without an agent', async () => {
      reach();
      const imports = await classes({ AssistantModule: 'assistant.module.ts' });
      const app = await startApp('express', { imports });
      for (const path of ['/agui/run', '/agent']) {
        server.answer(texts('Hello, ', 'Ada!'));
        expect(textOf(await run(app, inputOf(), { path }))).toBe('Hello, Ada!');
        expect(server.requests.at(-1)).toMatchObject({
          path: '/v1/chat/completions',
          headers: { authorization: 'Bearer key' },
          body: {
            model: 'my-model',
            stream: true,
            messages: [
              { role: 'system', content: 'You are a helpful assistant.' },
              { role: 'user', content: 'Hi' },
            ],
          },
        });
      }
    });

    it('with tools, approvals, shared state and subagents', async () => {
      reach();
      const app = await appOf(
        {
          TravelAgent: 'travel.agent.ts',
          MailTools: 'mail.tools.ts',
          UserResolver: 'user.resolver.ts',
        },
        {
          guards: [letIn({ id: 'ada' })],
          subagentEvents: 'attributed',
        },
      );
      const mail = { to: 'bob@x.org', text: 'Hi' };
      server.answer(
        calls(
          call('c1', 'weather', { city: 'Rome' }, 0),
          call('c2', 'update_state', { state: { trip: 'Rome' } }, 1),
          call('c3', 'researcher', { task: 'Find Rome' }, 2),
        ),
        texts('Found it.'),
        calls(call('c4', 'send_email', mail)),
        texts('Done.'),
      );
      const agent = clientOf(app.url, '/agui/run/travel', 'Plan it');
      const events: Record<string, unknown>[] = [];
      await agent.runAgent(
        {},
        { onEvent: ({ event }) => void events.push({ ...event }) },
      );
      expect(events).toContainEqual(
        expect.objectContaining({ name: 'looking', value: 'Rome' }),
      );
      expect(typesOf(events as never)).toContain('SUBAGENT_FINISHED');
      expect(agent.state).toEqual({ trip: 'Rome' });
      expect(server.messages(0)[0]!.content).toContain(
        'You plan trips with ada.',
      );
      const results = () =>
        agent.messages
          .filter(({ role }) => role === 'tool')
          .map(({ content }) => content);
      expect(new Set(results())).toEqual(
        new Set(['Found it.', '{"city":"Rome","celsius":21}']),
      );
      const [interrupt] = agent.pendingInterrupts;
      expect(interrupt).toMatchObject({ metadata: { toolInput: mail } });
      await agent.runAgent({
        resume: [
          {
            interruptId: interrupt!.id,
            status: 'resolved',
            payload: { approved: true },
          },
        ],
      });
      expect(results()).toContain('Sent to bob@x.org in the name of ada');
      expect(agent.messages.at(-1)!.content).toBe('Done.');
    });

    it('without letting a guest do what only users may', async () => {
      reach();
      const app = await appOf({
        TravelAgent: 'travel.agent.ts',
        MailTools: 'mail.tools.ts',
      });
      const mail = { to: 'bob@x.org', text: 'Hi' };
      server.answer(calls(call('c1', 'send_email', mail)), texts('Sorry.'));
      const events = await run(app, inputOf(), { path: '/agui/run/travel' });
      expect(
        events.find(({ type }) => type === 'TOOL_CALL_RESULT'),
      ).toMatchObject({ metadata: { 'agui.toolResultState': 'denied' } });
    });
  });

  describe('should have a page', () => {
    it('about remote agents', async () => {
      const remote = await serve('express', sayer('Far away'));
      vi.stubEnv('REMOTE_URL', `${remote.url}/agui/run`);
      const imports = await classes({ RemoteModule: 'remote.module.ts' });
      const app = await startApp('express', { imports });
      const path = '/agui/run/remote';
      expect(textOf(await run(app, inputOf(), { path }))).toBe('Far away');
    });

    it('about the tools of MCP servers', { timeout: 60_000 }, async () => {
      vi.stubEnv('MODEL_URL', server.url);
      const imports = await classes({ HandyModule: 'handy.module.ts' });
      const app = await startApp('express', { imports });
      const agent = clientOf(app.url, '/agui/run/handy', 'Go');
      server.answer(
        calls(
          call('c1', 'echo', { message: 'hi' }, 0),
          call('c2', 'get-tiny-image', {}, 1),
        ),
      );
      await agent.runAgent();
      expect(agent.messages.at(-1)).toMatchObject({ content: 'Echo: hi' });
      expect(agent.pendingInterrupts).toMatchObject([{ toolCallId: 'c2' }]);
    });
  });
});
