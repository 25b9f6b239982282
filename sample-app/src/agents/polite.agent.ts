import type { AgentEvent, Msg, RuntimeContext } from 'nestjs-agui';
import { AiSdkAgent } from 'nestjs-agui/ai-sdk';
import { helpFor } from '../offline/help.js';

/** An agent on a model that greets who has said nothing yet; no model is called for that. */
export class PoliteAgent extends AiSdkAgent {
  override async *streamEvents(
    messages: Msg[],
    context: RuntimeContext,
  ): AsyncGenerator<AgentEvent> {
    for await (const event of super.streamEvents(messages, context)) {
      if (event.type === 'AGENT_END' && messages.length === 0) {
        const { replyId } = event;
        const delta = `Hello! ${helpFor(this.toolNames(context))}`;
        yield { type: 'TEXT_BLOCK_DELTA', replyId, delta };
      }
      yield event;
    }
  }

  private toolNames({ toolkit }: RuntimeContext): string[] {
    const names = toolkit.list().map(({ name }) => name);
    return this.options.shareState ? [...names, 'update_state'] : names;
  }
}
