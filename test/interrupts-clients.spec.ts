import type { HttpAgent } from '@ag-ui/client';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { deferred } from './support/agents.js';
import { closeApps, PLATFORMS, serve } from './support/app.js';
import {
  clientOf,
  CLIENTS,
  errorsOf,
  refuseComplaints,
} from './support/http-agents.js';
import { answer } from './support/interrupting.js';
import { MAIL, mailer } from './support/mailer.js';
import { calls, together, useMockModels } from './support/mock-models.js';

const models = useMockModels();
refuseComplaints();
afterEach(closeApps);

type Resume = NonNullable<
  NonNullable<Parameters<HttpAgent['runAgent']>[0]>['resume']
>;

const answers = (client: HttpAgent, payload: unknown) =>
  client.pendingInterrupts.map((one) => answer(one, payload)) as Resume;

const CASES = PLATFORMS.flatMap((platform) =>
  CLIENTS.map(([name, Client]) => ({ platform, name, Client })),
);

const mail = (id = 'c1') => calls('send_email', MAIL, id);
const broken = { error: { message: 'overloaded' }, status: 400 };

describe.each(CASES)('Interrupts with $name on $platform', (one) => {
  const { platform, Client } = one;

  async function stopped(
    turns: Parameters<typeof models.script>,
    send: Parameters<typeof mailer>[2] = {},
  ) {
    models.script(...turns);
    const { agent, sent } = mailer(models.model(), {}, send);
    const client = clientOf(Client, await serve(platform, agent));
    await client.runAgent();
    return { client, sent };
  }

  it('should be shown, approved and forgotten', async () => {
    const { client, sent } = await stopped([mail(), 'It is sent.']);
    expect(client.pendingInterrupts).toMatchObject([
      { toolCallId: 'c1', metadata: { toolInput: MAIL } },
    ]);
    await client.runAgent({ resume: answers(client, { approved: true }) });
    expect(sent).toEqual([MAIL]);
    expect(client.pendingInterrupts).toEqual([]);
    expect(client.messages.map(({ role, content }) => [role, content])).toEqual(
      [
        ['user', 'Hi'],
        ['assistant', undefined],
        ['tool', 'Email sent to ada@example.com'],
        ['assistant', 'It is sent.'],
      ],
    );
  });

  it('should leave a conversation that goes on', async () => {
    const { client } = await stopped([mail(), 'It is sent.', 'Bye.']);
    await client.runAgent({ resume: answers(client, { approved: true }) });
    client.addMessage({ id: 'u2', role: 'user', content: 'Thanks' });
    await client.runAgent();
    expect(
      models.lastTalk().map(({ role, content }) => [role, content]),
    ).toEqual([
      ['user', 'Hi'],
      ['assistant', null],
      ['tool', 'Email sent to ada@example.com'],
      ['assistant', 'It is sent.'],
      ['user', 'Thanks'],
    ]);
  });

  it('should all be there when there are several', async () => {
    const { client, sent } = await stopped([
      together(mail('c1'), mail('c2')),
      'Both.',
    ]);
    expect(client.pendingInterrupts).toHaveLength(2);
    await client.runAgent({ resume: answers(client, { approved: true }) });
    expect(sent).toHaveLength(2);
    expect(client.messages.filter(({ role }) => role === 'tool')).toHaveLength(
      2,
    );
  });

  it('should not lock the thread when the resumed run fails before the tool ran', async () => {
    const { client, sent } = await stopped([mail(), 'It is sent.']);
    const editedArgs = 'no object';
    const resume = answers(client, { approved: true, editedArgs });
    expect(await errorsOf(client, { resume })).toMatchObject([
      { code: 'INVALID_INPUT_ERROR' },
    ]);
    await client.runAgent({ resume: answers(client, { approved: true }) });
    expect(sent).toHaveLength(1);
    expect(client.pendingInterrupts).toEqual([]);
  });

  it('should not lock the thread when the resumed run fails after the tool ran', async () => {
    const { client, sent } = await stopped([mail(), broken, 'It is sent.']);
    const resume = answers(client, { approved: true });
    expect(await errorsOf(client, { resume })).toHaveLength(1);
    expect(client.pendingInterrupts).toHaveLength(1);
    expect(await errorsOf(client, { resume })).toEqual([]);
    expect(sent).toHaveLength(1);
    expect(client.pendingInterrupts).toEqual([]);
    expect(client.messages.at(-1)!.content).toBe('It is sent.');
    expect(client.messages.filter(({ role }) => role === 'tool')).toHaveLength(
      1,
    );
  });

  it('should not lock the thread when the user stops the resumed run', async () => {
    const started = deferred();
    const { client } = await stopped([mail(), 'Well.'], {
      execute: async () => {
        started.resolve();
        await new Promise(() => {});
      },
    });
    const resume = answers(client, { approved: true });
    const running = client.runAgent({ resume });
    await started.promise;
    client.abortRun();
    await running;
    await vi.waitUntil(async () => {
      const [error] = await errorsOf(client, { resume });
      return error === undefined;
    });
    expect(client.pendingInterrupts).toEqual([]);
    expect(client.messages.slice(-2).map(({ content }) => content)).toEqual([
      expect.stringContaining('did not run again'),
      'Well.',
    ]);
  });

  it("should bear CopilotKit's habits: the same run id, and a message of its own for the call", async () => {
    const { client, sent } = await stopped([mail(), 'It is sent.']);
    const payload = { approved: true, editedArgs: { ...MAIL, to: 'bob' } };
    client.addMessage({
      id: 'echo',
      role: 'tool',
      toolCallId: 'c1',
      content: JSON.stringify(payload),
    });
    await client.runAgent({ runId: 'r1', resume: answers(client, payload) });
    expect(sent).toEqual([{ ...MAIL, to: 'bob' }]);
    expect(models.lastTalk().filter(({ role }) => role === 'tool')).toEqual([
      { role: 'tool', tool_call_id: 'c1', content: 'Email sent to bob' },
    ]);
  });
});
