// weather.spec.ts
import { Injectable, Module, type INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  AguiAgent,
  AguiModule,
  textOf,
  type Agent,
  type AgentEvent,
  type Msg,
} from 'nestjs-agui';
import { FakeAgent, runAgent } from 'nestjs-agui/testing';
import 'nestjs-agui/testing/vitest';

@Injectable()
@AguiAgent('default')
class WeatherAgent implements Agent {
  async *streamEvents(messages: Msg[]): AsyncGenerator<AgentEvent> {
    const city = textOf(messages.at(-1));
    yield { type: 'AGENT_START', replyId: 'reply-1' };
    yield { type: 'STATE_UPDATE', state: { city } };
    const delta = `It is sunny in ${city}.`;
    yield { type: 'TEXT_BLOCK_DELTA', replyId: 'reply-1', delta };
    yield { type: 'AGENT_END', replyId: 'reply-1' };
  }
}

@Module({ imports: [AguiModule.forRoot()], providers: [WeatherAgent] })
class AppModule {}

let app: INestApplication;
const fake = new FakeAgent(
  { interrupt: { id: 'which-city', message: 'Which city?' } },
  [
    { toolCall: 'get_weather', args: { city: 'Rome' }, result: 'rain' },
    'Take an umbrella.',
  ],
);

async function start(agent?: FakeAgent): Promise<void> {
  const builder = Test.createTestingModule({ imports: [AppModule] });
  if (agent) builder.overrideProvider(WeatherAgent).useValue(agent);
  app = (await builder.compile()).createNestApplication();
}

beforeEach(() => start());
afterEach(() => app.close());

it('should tell the weather', async () => {
  const run = await runAgent(app, 'Paris');
  expect(run.text).toBe('It is sunny in Paris.');
  expect(run.state).toEqual({ city: 'Paris' });
  expect(run).toBeLegalAguiStream();
});

it('should go on when it was answered', async () => {
  await start(fake);
  const first = await runAgent(app, 'The weather?');
  expect(first.interrupts).toMatchObject([{ message: 'Which city?' }]);
  const second = await runAgent(app, {
    threadId: first.input.threadId,
    messages: first.messages,
    resume: [
      { interruptId: 'which-city', status: 'resolved', payload: 'Rome' },
    ],
  });
  expect(second.text).toBe('Take an umbrella.');
  expect(fake.runs).toHaveLength(2);
});
