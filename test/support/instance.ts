// A server of its own process, which can be killed. It tells its parent where it listens.
import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Redis } from 'ioredis';
import {
  AguiModule,
  type AgentEvent,
  type Msg,
  type RuntimeContext,
} from 'nestjs-agui';
import { RedisThreadStore } from 'nestjs-agui/redis';

const redis = new Redis(process.env['REDIS_URL']!);

/** Asks a question; when it is answered, says something and never ends. */
const agent = {
  async *streamEvents(
    _messages: Msg[],
    context: RuntimeContext,
  ): AsyncGenerator<AgentEvent> {
    yield { type: 'AGENT_START', replyId: 'r' };
    if (context.get('agui.resume') === undefined) {
      const interrupt = { id: 'q1', reason: 'input_required' };
      yield { type: 'INTERRUPT', interrupt };
    } else {
      yield { type: 'TEXT_BLOCK_DELTA', replyId: 'r', delta: 'Well' };
      await new Promise(() => undefined);
    }
    yield { type: 'AGENT_END', replyId: 'r' };
  },
};

@Module({
  imports: [
    AguiModule.forRoot({
      agents: { default: agent },
      threadStore: new RedisThreadStore(redis, { leaseTime: '600ms' }),
    }),
  ],
})
class InstanceModule {}

const app = await NestFactory.create(InstanceModule, { logger: false });
await app.listen(0, '127.0.0.1');
process.send!(await app.getUrl());
