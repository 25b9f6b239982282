import { once } from 'node:events';
import { Mastra } from '@mastra/core';
import { Agent } from '@mastra/core/agent';
import { MockMemory } from '@mastra/core/memory';
import { InMemoryStore } from '@mastra/core/storage';
import { createTool } from '@mastra/core/tools';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { AgentFactory } from 'nestjs-agui';
import { closeApps, serve } from '../support/app.js';
import { inputOf, run } from '../support/client.js';
import { behaves } from './behaviour.js';
import { fromDocs } from './docs-code.js';
import { talkingModel } from './talking-model.js';

type AgentOptions = ConstructorParameters<typeof Agent>[0];

const waits = new EventTarget();

/** A tool that waits for the user's answer. */
const ask = createTool({
  id: 'ask',
  description: 'Asks the user',
  inputSchema: z.object({}),
  suspendSchema: z.object({ message: z.string() }),
  resumeSchema: z.object({ approved: z.boolean() }),
  execute: async (_input, { agent }) => {
    const { resumeData, suspend } = agent!;
    return resumeData ?? (await suspend({ message: 'Really?' }));
  },
});

let factory: AgentFactory;

beforeAll(async () => {
  const talk = new Agent({
    id: 'talk',
    name: 'Talk',
    instructions: 'You say what you have heard.',
    model: talkingModel(waits) as AgentOptions['model'],
    tools: { ask },
    memory: new MockMemory(),
    defaultOptions: await fromDocs<AgentOptions['defaultOptions']>(
      'mastra.agent.ts',
      'stoppable',
    ),
  });
  const mastra = new Mastra({
    agents: { talk },
    storage: new InMemoryStore(),
    logger: false,
  });
  const mastraAgent = await fromDocs<(agent: unknown) => AgentFactory>(
    'mastra.agent.ts',
    'mastraAgent',
  );
  factory = mastraAgent(mastra.getAgent('talk'));
});

behaves('Mastra', () => ({
  factory,
  waits: () => ({
    started: once(waits, 'start'),
    stopped: once(waits, 'stop'),
  }),
}));

describe('An agent of Mastra with server-side memory', () => {
  it('should be stopped when its client leaves', async () => {
    const started = once(waits, 'start');
    const stopped = once(waits, 'stop');
    const app = await serve('express', factory, { serverSideMemory: true });
    const messages = [{ id: 'u1', role: 'user', content: 'wait' }];
    const leaving = new AbortController();
    const response = fetch(`${app.url}/agui/run`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(inputOf({ messages })),
      signal: leaving.signal,
    });
    await started;
    await response;
    leaving.abort();
    await expect(stopped).resolves.toBeDefined();
    await closeApps();
  });

  it('should not hear twice what it remembers', async () => {
    const app = await serve('express', factory, { serverSideMemory: true });
    const threadId = 'remembered';
    const say = (id: string) =>
      run(
        app,
        inputOf({ threadId, messages: [{ id, role: 'user', content: id }] }),
      );
    await say('one');
    const events = await say('two');
    expect(JSON.stringify(events)).toContain('Heard one, two');
    await closeApps();
  });
});
