import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  AguiAgent,
  textOf,
  type Agent,
  type AgentEvent,
  type Msg,
  type RuntimeContext,
} from 'nestjs-agui';

/** An agent without a model: it works in steps and says who it works for. */
@Injectable()
@AguiAgent('progress')
export class ProgressAgent implements Agent {
  async *streamEvents(
    messages: Msg[],
    context: RuntimeContext,
  ): AsyncGenerator<AgentEvent> {
    const replyId = randomUUID();
    yield { type: 'AGENT_START', replyId };
    for (const value of ['reading', 'counting'])
      for (const name of ['step-started', 'step-finished'])
        yield { type: 'CUSTOM', name, value };
    const words = messages.map(textOf).join(' ').match(/\S+/g) ?? [];
    yield { type: 'CUSTOM', name: 'words', value: { count: words.length } };
    const tenant = context.get<string>('tenantId');
    const delta = `I have read ${words.length} words for ${tenant}.`;
    yield { type: 'TEXT_BLOCK_DELTA', replyId, delta };
    yield { type: 'AGENT_END', replyId };
  }
}
