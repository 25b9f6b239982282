import { EventType } from '@ag-ui/core';
import type { AguiEvent } from '../protocol/agui-event.js';
import type { MessageIdMint } from './message-id-mint.js';
import { ReplyMessages } from './reply-messages.js';

/** What the conversion of one speaker's events remembers: the agent's own, or one subagent invocation's. */
export class ConversionLane {
  private readonly replies = new Map<string, ReplyMessages>();

  constructor(
    private readonly ids: MessageIdMint,
    /** The invocation whose events these are, when they are attributed. */
    readonly subagentRunId?: string,
  ) {}

  reply(replyId: string): ReplyMessages {
    let reply = this.replies.get(replyId);
    if (reply === undefined) {
      reply = new ReplyMessages(replyId, (wish) => this.ids.mint(wish));
      this.replies.set(replyId, reply);
    }
    return reply;
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
    const ends = Array.from(reply.thoughts.values()).flatMap(
      (messageId): AguiEvent[] => [
        { type: EventType.REASONING_MESSAGE_END, messageId },
        { type: EventType.REASONING_END, messageId },
      ],
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
