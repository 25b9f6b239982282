import { HttpAgent } from 'agui-client-0.0.59';
import type { AguiEvent } from 'nestjs-agui';
import { afterEach, describe, expect, it } from 'vitest';
import { objectionsOf0059 } from '../src/protocol/official-clients.fixture.js';
import { sayer } from './support/agents.js';
import { closeApps, PLATFORMS, type TestApp } from './support/app.js';
import { eventsOf } from './support/client.js';
import {
  oldInput,
  send,
  serveCopilotKit,
  SPELLINGS,
} from './support/copilotkit.js';
import { EVERYTHING } from './support/everything.js';
import { MAIL, mailer } from './support/mailer.js';
import { calls, useMockModels } from './support/mock-models.js';
import { StepByStep, user } from './support/threads.js';

const models = useMockModels();
afterEach(closeApps);

/** The client that CopilotKit is made with. */
function clientOf({ url }: TestApp, method: 'run' | 'connect'): HttpAgent {
  return new HttpAgent({
    url: `${url}/api/copilotkit/agent/default/${method}`,
    threadId: 't1',
  });
}

describe.each(PLATFORMS)("CopilotKit's client on %s", (platform) => {
  it.each(SPELLINGS)(
    'should have nothing against what it is told, with %s',
    async (_name, spelling) => {
      const agent = new StepByStep(EVERYTHING);
      agent.say();
      const app = await serveCopilotKit(platform, agent);
      for (const request of [
        spelling.run('default', oldInput()),
        spelling.connect('default', oldInput()),
      ]) {
        const events = await eventsOf(await send(app, request));
        expect(events.length).toBeGreaterThan(3);
        expect(objectionsOf0059(events as unknown as AguiEvent[])).toEqual([]);
      }
    },
  );

  it('should get back what it held before', async () => {
    const agent = new StepByStep(EVERYTHING);
    agent.say();
    const app = await serveCopilotKit(platform, agent);
    const client = clientOf(app, 'run');
    client.addMessage(user('u1'));
    await client.runAgent();
    const again = clientOf(app, 'connect');
    await again.runAgent();
    expect(again.messages).toEqual(client.messages);
    expect(again.state).toEqual(client.state);
  });

  it('should hold nothing of a thread that there is not', async () => {
    const app = await serveCopilotKit(platform, sayer('Hi'));
    const client = clientOf(app, 'connect');
    await client.runAgent();
    expect(client.messages).toEqual([]);
  });

  it('should answer an interrupt under the id of the run that asked', async () => {
    models.script(calls('send_email', MAIL, 'c1'), 'It is sent.');
    const { agent, sent } = mailer(models.model());
    const app = await serveCopilotKit(platform, agent);
    const client = clientOf(app, 'run');
    client.addMessage(user('u1'));
    await client.runAgent({ runId: 'r1' });
    const [interrupt] = client.pendingInterrupts;
    const payload = { approved: true };
    // What CopilotKit adds of its own, before it answers.
    client.addMessage({
      id: 'own',
      role: 'tool',
      toolCallId: interrupt!.toolCallId!,
      content: JSON.stringify(payload),
    });
    await client.runAgent({
      runId: 'r1',
      resume: [{ interruptId: interrupt!.id, status: 'resolved', payload }],
    });
    expect(sent).toEqual([MAIL]);
    expect(client.pendingInterrupts).toEqual([]);
    expect(client.messages.at(-1)).toMatchObject({ content: 'It is sent.' });
  });
});
