import { Controller, Get, Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import {
  HealthCheck,
  HealthCheckService,
  TerminusModule,
} from '@nestjs/terminus';
import {
  AguiAgent,
  AguiModule,
  type Agent,
  type AgentEvent,
} from 'nestjs-agui';
import { AguiOpenTelemetryModule } from 'nestjs-agui/opentelemetry';
import { AguiHealthIndicator } from 'nestjs-agui/terminus';
import { checkEntries, fake } from './entries.js';
import { CopilotKitModule } from 'nestjs-agui/copilotkit';

@Injectable()
@AguiAgent('default')
class GreetingAgent implements Agent {
  async *streamEvents(): AsyncGenerator<AgentEvent> {
    yield { type: 'AGENT_START', replyId: 'r' };
    yield { type: 'TEXT_BLOCK_DELTA', replyId: 'r', delta: 'Hello' };
    yield { type: 'AGENT_END', replyId: 'r' };
  }
}

@Controller('health')
class HealthController {
  constructor(
    private readonly health: HealthCheckService,
    private readonly agui: AguiHealthIndicator,
  ) {}

  @Get()
  @HealthCheck()
  check() {
    return this.health.check([() => this.agui.isHealthy()]);
  }
}

@Module({
  imports: [
    AguiModule.forRoot({ agents: { fake } }),
    AguiOpenTelemetryModule,
    CopilotKitModule.forRoot(),
    TerminusModule,
  ],
  controllers: [HealthController],
  providers: [AguiHealthIndicator, GreetingAgent],
})
class AppModule {}

async function main(): Promise<void> {
  const app = await NestFactory.create(AppModule, { logger: ['error'] });
  await app.listen(0, '127.0.0.1');
  const response = await fetch(`${await app.getUrl()}/agui/run`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      threadId: 't',
      runId: 'r',
      messages: [{ id: 'u', role: 'user', content: 'Hi' }],
    }),
  });
  const types = [...(await response.text()).matchAll(/"type":"(\w+)"/g)].map(
    ([, type]) => type,
  );
  await checkEntries(app);
  const health = await fetch(`${await app.getUrl()}/health`);
  const runtime = await fetch(`${await app.getUrl()}/api/copilotkit/info`);
  if (!runtime.ok) throw new Error(`CopilotKit gets ${runtime.status}.`);
  await app.close();
  if (health.status !== 200) throw new Error(await health.text());
  const expected = [
    'RUN_STARTED',
    'TEXT_MESSAGE_START',
    'TEXT_MESSAGE_CONTENT',
    'TEXT_MESSAGE_END',
    'RUN_FINISHED',
  ];
  if (types.join() !== expected.join())
    throw new Error(`The run was ${types.join(', ') || 'empty'}.`);
  console.log(`One run served: ${types.join(', ')}`);
}

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
