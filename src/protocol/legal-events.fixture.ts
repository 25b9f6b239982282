import { EventType } from '@ag-ui/core';
import fc, { type Arbitrary } from 'fast-check';
import type { AguiEvent } from './agui-event.js';

const FAMILIES = [
  {
    id: 'messageId',
    start: { type: EventType.TEXT_MESSAGE_START, role: 'assistant' },
    content: EventType.TEXT_MESSAGE_CONTENT,
    end: EventType.TEXT_MESSAGE_END,
  },
  {
    id: 'messageId',
    start: { type: EventType.REASONING_MESSAGE_START, role: 'reasoning' },
    content: EventType.REASONING_MESSAGE_CONTENT,
    end: EventType.REASONING_MESSAGE_END,
  },
  {
    id: 'toolCallId',
    start: { type: EventType.TOOL_CALL_START, toolCallName: 'tool' },
    content: EventType.TOOL_CALL_ARGS,
    end: EventType.TOOL_CALL_END,
  },
] as const;

interface Item {
  family: (typeof FAMILIES)[number];
  id: string;
  owner: string | undefined;
  open: boolean;
  answered: boolean;
}

interface Move {
  kind: 'open' | 'continue' | 'toggle' | 'answer' | 'aside' | 'delegate';
  which: number;
  tagged: boolean;
  delta: string;
}

/** An agent that plays by the rules, however its moves fall. */
class LegalAgent {
  readonly events: AguiEvent[] = [];
  private readonly items: Item[] = [];
  private readonly subagents: string[] = [];

  play({ kind, which, tagged, delta }: Move): void {
    const item = this.items[which % this.items.length];
    const owner = [undefined, ...this.subagents][
      which % (this.subagents.length + 1)
    ];
    if (kind === 'open' || item === undefined) this.open(which, owner);
    else if (kind === 'continue' && item.open) this.say(item, tagged, delta);
    else if (kind === 'toggle') this.toggle(item);
    else if (kind === 'answer') this.answer(item, delta);
    else if (kind === 'delegate') this.delegate(owner);
    else this.aside(which, owner, delta);
  }

  finish(): void {
    for (const item of this.items) if (item.open) this.toggle(item);
    for (const subagentRunId of this.subagents)
      this.send({ type: EventType.SUBAGENT_FINISHED, subagentRunId });
    const pendingToolCallIds = this.items
      .filter(({ family, answered }) => family === FAMILIES[2] && !answered)
      .map(({ id }) => id);
    this.send({
      type: EventType.RUN_FINISHED,
      threadId: 't1',
      runId: 'r1',
      ...(pendingToolCallIds.length > 0 && {
        outcome: { type: 'success', pendingToolCallIds },
      }),
    });
  }

  private open(which: number, owner: string | undefined): void {
    const family = FAMILIES[which % FAMILIES.length]!;
    const id = `${family.id}-${this.items.length}`;
    const item = { family, id, owner, open: false, answered: false };
    this.items.push(item);
    this.toggle(item);
  }

  private toggle(item: Item): void {
    const { family, id, owner } = item;
    const event = item.open ? { type: family.end } : family.start;
    item.open = !item.open;
    this.send({ ...event, [family.id]: id, ...tag(owner) } as AguiEvent);
  }

  private say(
    { family, id, owner }: Item,
    tagged: boolean,
    delta: string,
  ): void {
    const event = { type: family.content, [family.id]: id, delta };
    this.send({ ...event, ...(tagged && tag(owner)) } as AguiEvent);
  }

  private answer(item: Item, content: string): void {
    if (item.family !== FAMILIES[2] || item.open || item.answered) return;
    item.answered = true;
    const { id: toolCallId } = item;
    const messageId = `result-${toolCallId}`;
    const type = EventType.TOOL_CALL_RESULT;
    this.send({ type, messageId, toolCallId, content });
  }

  private delegate(parentSubagentRunId: string | undefined): void {
    const subagentRunId = `s${this.subagents.length}`;
    this.subagents.push(subagentRunId);
    this.send({
      type: EventType.SUBAGENT_STARTED,
      subagentRunId,
      name: 'helper',
      ...(parentSubagentRunId !== undefined && { parentSubagentRunId }),
    });
  }

  private aside(which: number, owner: string | undefined, value: string): void {
    const events: AguiEvent[] = [
      { type: EventType.STATE_SNAPSHOT, snapshot: { value } },
      { type: EventType.CUSTOM, name: 'note', value: null },
      { type: EventType.RAW, event: value, metadata: { value: null } },
      {
        type: EventType.STATE_DELTA,
        delta: [{ op: 'add', path: '/value', value }],
      },
      {
        type: EventType.ACTIVITY_SNAPSHOT,
        messageId: 'activity',
        activityType: 'plan',
        content: { value },
      },
    ];
    this.send({ ...events[which % events.length]!, ...tag(owner) });
  }

  private send(event: AguiEvent): void {
    this.events.push(event);
  }
}

function tag(subagentRunId: string | undefined): { subagentRunId?: string } {
  return subagentRunId === undefined ? {} : { subagentRunId };
}

const move: Arbitrary<Move> = fc.record({
  kind: fc.constantFrom(
    'open',
    'continue',
    'continue',
    'continue',
    'toggle',
    'answer',
    'aside',
    'delegate',
  ),
  which: fc.nat(),
  tagged: fc.boolean(),
  delta: fc.string({ minLength: 1, unit: 'binary' }),
});

const RUN_STARTED: AguiEvent = {
  type: EventType.RUN_STARTED,
  threadId: 't1',
  runId: 'r1',
  protocolVersion: '1.0',
};

/** A legal run, from its start to its end. */
export const legalRun: Arbitrary<AguiEvent[]> = fc
  .array(move, { maxLength: 40, size: 'max' })
  .map((moves) => {
    const agent = new LegalAgent();
    agent.events.push(RUN_STARTED);
    for (const one of moves) agent.play(one);
    agent.finish();
    return agent.events;
  });

const CHUNKS = [
  { type: EventType.TEXT_MESSAGE_CHUNK, id: 'messageId', first: {} },
  { type: EventType.REASONING_MESSAGE_CHUNK, id: 'messageId', first: {} },
  {
    type: EventType.TOOL_CALL_CHUNK,
    id: 'toolCallId',
    first: { toolCallName: 'tool' },
  },
] as const;

interface ChunkMove {
  kind: 0 | 1 | 2;
  lane: 'agent' | 's1' | 's2';
  fresh: boolean;
  repeats: boolean;
  metadata: Record<string, unknown> | undefined;
  between: AguiEvent | undefined;
}

const chunkMove: Arbitrary<ChunkMove> = fc.record({
  kind: fc.constantFrom(0, 0, 1, 2),
  lane: fc.constantFrom('agent', 's1', 's2'),
  fresh: fc.boolean(),
  repeats: fc.boolean(),
  metadata: fc.constantFrom(undefined, undefined, { k: 1 }),
  between: fc.constantFrom<AguiEvent | undefined>(
    undefined,
    undefined,
    { type: EventType.RAW, event: 'beat' },
    { type: EventType.STATE_SNAPSHOT, snapshot: 1, subagentRunId: 's1' },
    {
      type: EventType.MESSAGES_SNAPSHOT,
      messages: [{ id: 'u1', role: 'user', content: 'hello' }],
    },
  ),
});

/** A legal run that is all chunks, in up to three lanes. */
export const legalChunks: Arbitrary<AguiEvent[]> = fc
  .array(chunkMove, { maxLength: 20, size: 'max' })
  .map((moves) => {
    const open = new Map<string, { kind: number; id: string }>();
    const events = moves.flatMap((one, index): AguiEvent[] => {
      const { type, id: idMember, first } = CHUNKS[one.kind];
      const { between, lane } = one;
      if (between?.type === EventType.MESSAGES_SNAPSHOT) open.clear();
      if (between?.type === EventType.STATE_SNAPSHOT) open.delete('s1');
      const now = open.get(lane);
      const goesOn = now?.kind === one.kind && !one.fresh;
      const id = goesOn ? now.id : `${one.kind}-${index}`;
      open.set(lane, { kind: one.kind, id });
      const chunk = {
        type,
        delta: `${index} `,
        ...(goesOn && !one.repeats ? {} : { [idMember]: id, ...first }),
        ...(one.metadata !== undefined && { metadata: one.metadata }),
        ...(lane !== 'agent' && { subagentRunId: lane }),
      } as AguiEvent;
      return between === undefined ? [chunk] : [between, chunk];
    });
    const end = { type: EventType.RUN_ERROR, message: 'stop' } as const;
    return [RUN_STARTED, ...events, end];
  });
