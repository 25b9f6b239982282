import { describe, expect, it } from 'vitest';
import type { Agent } from 'nestjs-agui';
import { HAS_REDIS } from '../src/thread/redis/redis-server.fixture.js';
import { agentOf, reply } from './support/agents.js';
import type { TestApp } from './support/app.js';
import { inputOf, post, run } from './support/client.js';
import type { RootOptions } from './support/module-app.js';
import { useSharedRedis } from './support/shared-redis.js';
import { user } from './support/threads.js';

describe.skipIf(!HAS_REDIS)('Threads that are remembered on a Redis', () => {
  const shared = useSharedRedis();

  /** Agents that remember what they were given, each with a name, and what it is given in a run. */
  function remembering() {
    const given: string[][] = [];
    const made: Record<string, number> = {};
    const make = (name: string) => (): Agent => {
      made[name] = (made[name] ?? 0) + 1;
      const number = made[name];
      return agentOf(async function* (messages) {
        given.push([`${name}${number}`, ...messages.map(({ id }) => id)]);
        const id = `a${given.length}`;
        yield reply.start(id);
        yield reply.text('answer', id);
        yield reply.end(id);
      });
    };
    return { given, make };
  }

  async function memory(options: RootOptions = {}) {
    const { given, make } = remembering();
    const { a, b } = await shared.two((name) => ({
      agents: { default: make(name) },
      serverSideMemory: true,
      ...options,
    }));
    const on = shared.newThread();
    const say = (app: TestApp, ...messages: object[]) =>
      post(app, inputOf({ ...on, messages })).then(async (response) => {
        await response.text();
        return response.status;
      });
    return { a, b, given, say };
  }

  it('should be remembered by the agents of every server, each in its own words', async () => {
    const { a, b, given, say } = await memory();
    await say(a, user('u1'));
    await say(b, user('u2'));
    await say(a, user('u3'));
    await say(b, user('u4'));
    expect(given).toEqual([
      ['a1', 'u1'],
      ['b1', 'u1', 'a1', 'u2'],
      ['a1', 'u2', 'a2', 'u3'],
      ['b1', 'u3', 'a3', 'u4'],
    ]);
  });

  it('should not be remembered where the client has left them at another server', async () => {
    const { a, b, given, say } = await memory();
    await say(a, user('u1'));
    await say(b, user('u1', 'edited'));
    await say(a, user('u3'));
    expect(given).toEqual([
      ['a1', 'u1'],
      ['b1', 'u1'],
      ['a2', 'u1', 'a2', 'u3'],
    ]);
  });

  it('should refuse another branch at every server', async () => {
    const { a, b, given, say } = await memory({ divergence: 'reject' });
    await say(a, user('u1'));
    expect(await say(b, user('u1', 'edited'))).toBe(409);
    expect(await say(b, user('u2'))).toBe(200);
    expect(given[1]).toEqual(['b1', 'u1', 'a1', 'u2']);
  });

  it('should have the state and what agents keep at every server', async () => {
    const seen: unknown[] = [];
    const agent = agentOf(async function* (_messages, context) {
      const session = context.get('agui.session')!;
      seen.push([session['runs'] ?? 0, context.get('agui.state')]);
      session['runs'] = Number(session['runs'] ?? 0) + 1;
      yield reply.start();
      yield { type: 'STATE_UPDATE', state: { n: seen.length } };
      if (seen.length === 2) throw new Error('It failed.');
      yield reply.end();
    });
    const { a, b } = await shared.two(() => ({
      agents: { default: agent },
      serverSideMemory: true,
    }));
    const on = shared.newThread();
    for (const app of [a, b, a])
      await run(app, inputOf({ ...on, state: undefined }));
    expect(seen).toEqual([
      [0, undefined],
      [1, { n: 1 }],
      [1, { n: 2 }],
    ]);
  });
});
