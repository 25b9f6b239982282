import { EventType } from '@ag-ui/core';
import type { AguiEvent } from '../protocol/agui-event.js';
import type { MessageIdMint } from './message-id-mint.js';
import { ReplyMessages } from './reply-messages.js';

/** What the conversion of one speaker's events remembers: the agent's own, or one subagent invocation's. */
export class ConversionLane {
  /** Whether the invocation has ended. */
  ended = false;
  /** Whether it waits for an answer: its own, or one that a subagent of its own waits for. */
  suspended = false;
  /** The interrupts it raised itself. */
  readonly interruptIds = new Set<string>();
  private readonly replies = new Map<string, ReplyMessages>();

  constructor(
    private readonly ids: MessageIdMint,
    /** The invocation whose events these are, when they are attributed. */
    readonly subagentRunId?: string,
    /** The invocation that made this one. */
    private readonly parent?: ConversionLane,
  ) {}

  reply(replyId: string): ReplyMessages {
    let reply = this.replies.get(replyId);
    if (reply === undefined) {
      reply = new ReplyMessages(replyId, (wish) => this.ids.mint(wish));
      this.replies.set(replyId, reply);
    }
    return reply;
  }

  /** This invocation and those above it wait from now on. */
  suspend(): void {
    this.suspended = true;
    this.parent?.suspend();
  }

  /** The events that end the reply's open text messages. */
  endTexts(reply: ReplyMessages): AguiEvent[] {
    const ends = Array.from(reply.texts.values(), (messageId): AguiEvent => ({
      type: EventType.TEXT_MESSAGE_END,
      messageId,
    }));
    reply.texts.clear();
    return ends;
  }

  /** The events that end the reply's open reasoning. */
  endThoughts(reply: ReplyMessages): AguiEvent[] {
    const ends = [...reply.thoughts].flatMap(
      ([blockId, messageId]): AguiEvent[] => {
        reply.cutShort.set(blockId, messageId);
        return [
          { type: EventType.REASONING_MESSAGE_END, messageId },
          { type: EventType.REASONING_END, messageId },
        ];
      },
    );
    reply.thoughts.clear();
    return ends;
  }

  /** The events that end all messages that are open in this lane. */
  endMessages(): AguiEvent[] {
    return [...this.replies.values()].flatMap((reply) => [
      ...this.endTexts(reply),
      ...this.endThoughts(reply),
    ]);
  }
}
