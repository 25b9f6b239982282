import { fileURLToPath } from 'node:url';
import { Module } from '@nestjs/common';
import { AguiModule } from 'nestjs-agui';
import { CalculatorAgent } from './agents/calculator.agent.js';
import { ChatAgent } from './agents/chat.agent.js';
import { DefaultAgent } from './agents/default.agent.js';
import { StepConverter } from './extensions/step.converter.js';
import { TenantEnricher } from './extensions/tenant.enricher.js';
import { TenantResolver } from './extensions/tenant.resolver.js';

const configFile = fileURLToPath(
  new URL('../application.yaml', import.meta.url),
);

@Module({
  imports: [AguiModule.forRoot({ configFile })],
  providers: [
    DefaultAgent,
    ChatAgent,
    CalculatorAgent,
    StepConverter,
    TenantEnricher,
    TenantResolver,
  ],
})
export class AppModule {}
