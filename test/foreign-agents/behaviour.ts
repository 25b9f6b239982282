import { randomUUID } from 'node:crypto';
import { HttpAgent } from '@ag-ui/client';
import { afterEach, describe, expect, it } from 'vitest';
import { AguiRuntimeContextResolver, type AgentFactory } from 'nestjs-agui';
import { closeApps, PLATFORMS, serve, type Platform } from '../support/app.js';
import { openStream, post, run, textOf, inputOf } from '../support/client.js';
import { answer } from '../support/interrupting.js';

/** An agent of another framework: it says "Heard …" of all that the user has said; at "ask" it asks, at "wait" it waits. */
export interface ForeignAgent {
  /** Makes the agent of a run. */
  factory: AgentFactory;
  /** Resolves when a run waits, and when it was stopped. */
  waits: () => { started: Promise<unknown>; stopped: Promise<unknown> };
}

@AguiRuntimeContextResolver()
class HeaderUser implements AguiRuntimeContextResolver {
  resolve(request: Parameters<AguiRuntimeContextResolver['resolve']>[0]) {
    return { userId: request.firstHeader('X-User') };
  }
}

/** Sees to it that an agent of another framework behaves like one of ours. */
export function behaves(name: string, foreign: () => ForeignAgent): void {
  afterEach(closeApps);

  const start = (platform: Platform = 'express') =>
    serve(platform, foreign().factory, {}, { providers: [HeaderUser] });
  const user = (content: string) => ({
    id: randomUUID(),
    role: 'user' as const,
    content,
  });
  const said = (threadId: string, content: string) =>
    inputOf({ threadId, runId: randomUUID(), messages: [user(content)] });
  const clientAt = ({ url }: { url: string }, content: string) =>
    new HttpAgent({
      url: `${url}/agui/run`,
      threadId: randomUUID(),
      initialMessages: [user(content)],
    });
  const lastText = ({ messages }: HttpAgent) => messages.at(-1)?.content;

  describe.each(PLATFORMS)(`${name} behind %s`, (platform) => {
    it('should be heard, and go on with its thread', async () => {
      const app = await start(platform);
      const client = clientAt(app, 'one');
      await client.runAgent();
      expect(lastText(client)).toBe('Heard one');
      client.addMessage(user('two'));
      await client.runAgent();
      expect(lastText(client)).toBe('Heard one, two');
      expect(app.complaints).toEqual([]);
    });

    it('should ask, and be answered', async () => {
      const client = clientAt(await start(platform), 'ask');
      await client.runAgent();
      expect(client.pendingInterrupts).toHaveLength(1);
      const resume = client.pendingInterrupts.map((one) =>
        answer(one, { approved: true }),
      ) as never;
      await client.runAgent({ resume });
      expect(client.pendingInterrupts).toEqual([]);
      expect(lastText(client)).toContain('"approved":true');
    });

    it('should refuse to go on without the answer', async () => {
      const app = await start(platform);
      const threadId = randomUUID();
      await run(app, said(threadId, 'ask'));
      expect((await run(app, said(threadId, 'go on'))).at(-1)).toMatchObject({
        code: 'AGUI_INTERRUPT_CONTRACT_ERROR',
      });
    });

    it('should be stopped where it works when its run is cancelled', async () => {
      const app = await start(platform);
      const threadId = randomUUID();
      const waits = foreign().waits();
      const stream = await openStream(app, said(threadId, 'wait'));
      await waits.started;
      await post(app, { threadId }, { path: '/agui/cancel' });
      await waits.stopped;
      await stream.ended;
      expect(stream.events.at(-1)).toMatchObject({
        type: 'RUN_FINISHED',
        outcome: { type: 'cancelled' },
      });
    });

    it('should be stopped where it works when its client leaves', async () => {
      const waits = foreign().waits();
      const app = await start(platform);
      const stream = await openStream(app, said(randomUUID(), 'wait'));
      await waits.started;
      stream.leave();
      await expect(waits.stopped).resolves.toBeDefined();
    });
  });

  describe(`The threads of ${name}`, () => {
    it('should not mix, though they run at the same time', async () => {
      const app = await start();
      const words = Array.from({ length: 8 }, (_, n) => `word ${n}`);
      const heard = await Promise.all(
        words.map(async (word) => {
          const client = clientAt(app, word);
          await client.runAgent();
          return lastText(client);
        }),
      );
      expect(heard).toEqual(words.map((word) => `Heard ${word}`));
    });

    it('should not be those of another user, whatever the id', async () => {
      const app = await start();
      const threadId = randomUUID();
      const as = (name: string) =>
        run(app, said(threadId, `I am ${name}`), {
          headers: { 'x-user': name },
        });
      await as('zoe');
      const events = await as('bob');
      expect(JSON.stringify(events)).not.toContain('zoe');
    });
  });

  describe(`A middleware of ${name}`, () => {
    it('should apply', async () => {
      const { factory } = foreign();
      const app = await serve('express', async (context, input) => {
        const agent = (await factory(context, input)) as HttpAgent;
        return agent.use((given, next) =>
          next.run({ ...given, messages: [user('something else')] }),
        );
      });
      const events = await run(app, said(randomUUID(), 'one'));
      expect(textOf(events)).toBe('Heard something else');
    });
  });
}
