import { AbstractAgent } from '@ag-ui/client';
import type { RunAgentInput } from '@ag-ui/core';
import { from } from 'rxjs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AgentEvent } from '../agent/agent-event.js';
import type { Msg } from '../agent/msg.js';
import { AguiAgentAdapter } from './agui-agent-adapter.js';
import { AguiMessageConverter } from './agui-message-converter.js';
import {
  agentOf,
  call,
  END,
  expectQuietLogs,
  result,
  say,
  START,
  text,
  thinking,
} from './adapter.fixture.js';

/** The official client, whose agent is one of ours. */
class Client extends AbstractAgent {
  readonly heard: Msg[][] = [];

  constructor(private readonly scripts: AgentEvent[][]) {
    super({ threadId: 't1', initialState: { steps: [] } });
  }

  override run(input: RunAgentInput): ReturnType<AbstractAgent['run']> {
    const agent = agentOf((messages) => {
      this.heard.push(messages);
      return from([START, ...this.scripts.shift()!, END]);
    });
    const adapter = new AguiAgentAdapter(agent, {
      enableReasoning: true,
      subagentEvents: 'attributed',
    });
    // The client has a copy of RxJS of its own.
    return from(adapter.run(input)) as never;
  }
}

describe('AguiAgentAdapter and the official client', () => {
  expectQuietLogs();
  const complaints: unknown[][] = [];

  beforeEach(() => {
    complaints.length = 0;
    for (const method of ['warn', 'error'] as const)
      vi.spyOn(console, method).mockImplementation((...entry: unknown[]) => {
        complaints.push(entry);
      });
  });
  afterEach(() => {
    if (complaints.length > 0)
      throw new Error(`The client complains: ${JSON.stringify(complaints)}`);
  });

  const turn = [
    thinking('Let me see.'),
    say('THINKING_BLOCK_END', { blockId: 'k1', encryptedValue: 'sealed' }),
    text('I will look.'),
    ...call('c1', 'search', '{"q":1}'),
    ...call('c2', 'search', '{"q":2}'),
    ...result('c1', 'found'),
    ...result('c2', 'not allowed', { state: 'denied' }),
    text('Done.', { blockId: 'b2' }),
    say('STATE_UPDATE', { state: { steps: ['a'] }, mode: 'DELTA' }),
  ];
  const searched = (id: string, args: string) => ({
    id,
    type: 'function',
    function: { name: 'search', arguments: args },
  });

  it('should agree on the messages and the state of a run', async () => {
    const client = new Client([turn]);

    await client.runAgent();

    expect(client.state).toEqual({ steps: ['a'] });
    expect(client.messages).toEqual([
      {
        id: 'r1-reasoning',
        role: 'reasoning',
        content: 'Let me see.',
        encryptedValue: 'sealed',
      },
      {
        id: 'r1',
        role: 'assistant',
        content: 'I will look.',
        toolCalls: [searched('c1', '{"q":1}'), searched('c2', '{"q":2}')],
      },
      { id: 'c1-result', role: 'tool', toolCallId: 'c1', content: 'found' },
      {
        id: 'c2-result',
        role: 'tool',
        toolCallId: 'c2',
        content: 'not allowed',
        metadata: { 'agui.toolResultState': 'denied' },
      },
      { id: 'r1-2', role: 'assistant', content: 'Done.' },
    ]);
  });

  it('should give the agent back what it said, and never mix it with what it says next', async () => {
    const client = new Client([turn, [text('Again.')]]);

    await client.runAgent();
    client.addMessage({ id: 'u2', role: 'user', content: 'More!' });
    await client.runAgent();

    const [, heard] = client.heard;
    expect(heard!.map(({ id, role }) => `${role} ${id}`)).toEqual([
      'assistant r1-reasoning',
      'assistant r1',
      'tool c1-result',
      'tool c2-result',
      'assistant r1-2',
      'user u2',
    ]);
    expect(heard![0]!.content).toEqual([
      {
        type: 'thinking',
        thinking: 'Let me see.',
        encryptedValue: 'sealed',
      },
    ]);
    expect(heard![3]!.content[0]).toMatchObject({ state: 'denied' });
    expect(
      new AguiMessageConverter()
        .toAguiMessages(heard!)
        .map(({ id, role }) => `${role} ${id}`),
    ).toEqual(
      client.messages.slice(0, -1).map(({ id, role }) => `${role} ${id}`),
    );
    expect(client.messages.at(-1)).toEqual({
      id: 'r1-3',
      role: 'assistant',
      content: 'Again.',
    });
  });

  it('should keep subagents’ messages apart', async () => {
    const sub = (source: string) => ({ source, replyId: source });
    const client = new Client([
      [
        text('one '),
        say('AGENT_START', sub('main/a')),
        text('A1 ', sub('main/a')),
        say('AGENT_START', sub('main/a/b')),
        text('B1 ', sub('main/a/b')),
        text('two'),
        text('A2', sub('main/a')),
        text('B2', sub('main/a/b')),
      ],
    ]);

    await client.runAgent();

    expect(client.messages).toEqual([
      { id: 'r1', role: 'assistant', content: 'one two' },
      {
        id: 'main/a',
        role: 'assistant',
        content: 'A1 A2',
        subagentRunId: 'main/a#1',
      },
      {
        id: 'main/a/b',
        role: 'assistant',
        content: 'B1 B2',
        subagentRunId: 'main/a/b#2',
      },
    ]);
  });
});
