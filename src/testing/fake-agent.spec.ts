import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../agent/agent-event.js';
import { RuntimeContext } from '../agent/runtime-context.js';
import { FakeAgent } from './fake-agent.js';

async function playedBy(
  agent: FakeAgent,
  context = new RuntimeContext(),
): Promise<AgentEvent[]> {
  const events: AgentEvent[] = [];
  for await (const event of agent.streamEvents([], context)) events.push(event);
  return events;
}

/** What it says between start and end, without the reply's id. */
async function saidBy(agent: FakeAgent, context?: RuntimeContext) {
  const events = await playedBy(agent, context);
  return events.slice(1, -1).map((event) => ({ ...event, replyId: undefined }));
}

describe('FakeAgent', () => {
  it('should begin, say its text, and end', async () => {
    expect(await playedBy(new FakeAgent(['Hello, ', 'Ada']))).toEqual([
      { type: 'AGENT_START', replyId: 'reply-1-' },
      { type: 'TEXT_BLOCK_DELTA', replyId: 'reply-1-', delta: 'Hello, ' },
      { type: 'TEXT_BLOCK_DELTA', replyId: 'reply-1-', delta: 'Ada' },
      { type: 'AGENT_END', replyId: 'reply-1-' },
    ]);
  });

  it('should say whatever is written down', async () => {
    const call = { toolCallId: 'c', toolCallName: 'look' };
    const agent = new FakeAgent([
      { thinking: 'Hm' },
      { state: { a: 1 } },
      { toolCall: 'look', id: 'c', args: { at: 'moon' }, result: [1] },
      { toolCall: 'look', id: 'c', args: '{"at"', error: 'It is dark.' },
      { toolCall: 'look' },
      { interrupt: { message: 'Which?' } },
      { type: 'CUSTOM', name: 'x', value: 1 },
    ]);
    expect(await saidBy(agent)).toEqual([
      { type: 'THINKING_BLOCK_DELTA', delta: 'Hm' },
      { type: 'STATE_UPDATE', state: { a: 1 } },
      { type: 'TOOL_CALL_START', ...call },
      { type: 'TOOL_CALL_DELTA', ...call, delta: '{"at":"moon"}' },
      { type: 'TOOL_CALL_END', ...call },
      { type: 'TOOL_RESULT_START', ...call },
      { type: 'TOOL_RESULT_TEXT_DELTA', ...call, delta: '[1]' },
      { type: 'TOOL_RESULT_END', ...call, state: 'success' },
      { type: 'TOOL_CALL_START', ...call },
      { type: 'TOOL_CALL_DELTA', ...call, delta: '{"at"' },
      { type: 'TOOL_CALL_END', ...call },
      { type: 'TOOL_RESULT_START', ...call },
      { type: 'TOOL_RESULT_TEXT_DELTA', ...call, delta: 'It is dark.' },
      { type: 'TOOL_RESULT_END', ...call, state: 'error' },
      expect.objectContaining({ type: 'TOOL_CALL_START' }),
      expect.objectContaining({ type: 'TOOL_CALL_DELTA', delta: '{}' }),
      expect.objectContaining({ type: 'TOOL_CALL_END' }),
      {
        type: 'INTERRUPT',
        interrupt: {
          id: 'interrupt-1--2',
          reason: 'input_required',
          message: 'Which?',
        },
      },
      { type: 'CUSTOM', name: 'x', value: 1 },
    ]);
  });

  it('should do one turn a run, and the last one again', async () => {
    const agent = new FakeAgent('One', [], 'Two');
    const said = [];
    for (let n = 0; n < 4; n++) said.push(await saidBy(agent));
    expect(said.map(([first]) => (first as { delta?: string })?.delta)).toEqual(
      ['One', undefined, 'Two', 'Two'],
    );
    expect(agent.runs).toHaveLength(4);
    expect(await saidBy(new FakeAgent())).toEqual([]);
  });

  it('should do what functions return, which know the run', async () => {
    const agent = new FakeAgent([
      ({ context }) => [`You are ${context.userId}. `, () => 'Really.'],
      async () => 'Yes.',
      () => undefined,
    ]);
    const context = new RuntimeContext({ userId: 'ada' });
    expect(await saidBy(agent, context)).toMatchObject([
      { delta: 'You are ada. ' },
      { delta: 'Really.' },
      { delta: 'Yes.' },
    ]);
    expect(agent.runs[0]!.context).toBe(context);
  });

  it('should throw errors, and what promises reject with', async () => {
    await expect(playedBy(new FakeAgent(new Error('no')))).rejects.toThrow(
      'no',
    );
    const rejected = () => Promise.reject<string>(new Error('late'));
    await expect(playedBy(new FakeAgent(rejected))).rejects.toThrow('late');
  });

  it('should wait for promises, but not for longer than the run', async () => {
    const abort = new AbortController();
    const context = new RuntimeContext({ signal: abort.signal });
    const events = new FakeAgent([
      Promise.resolve(),
      'One',
      new Promise(() => undefined),
      'Two',
    ]).streamEvents([], context);
    expect((await events.next()).value).toMatchObject({ type: 'AGENT_START' });
    expect((await events.next()).value).toMatchObject({ delta: 'One' });
    const next = events.next();
    abort.abort(new Error('stopped'));
    await expect(next).rejects.toThrow('stopped');
  });

  it('should use ids that no other run has', async () => {
    const idsIn = async (agent: FakeAgent, runId: string) => {
      const context = new RuntimeContext().put('agui.runId', runId);
      return JSON.stringify(await playedBy(agent, context)).match(
        /"\w+-\d+-r\d(-\d)?"/g,
      );
    };
    const step = { toolCall: 'look' };
    const [one, other] = [new FakeAgent(step), new FakeAgent(step)];
    const ids = [
      await idsIn(one, 'r1'),
      await idsIn(other, 'r2'),
      await idsIn(one, 'r1'),
    ].map((all) => [...new Set(all)]);
    expect(ids.map((some) => some.length)).toEqual([2, 2, 2]);
    expect(new Set(ids.flat()).size).toBe(6);
  });
});
