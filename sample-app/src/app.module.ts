import { fileURLToPath } from 'node:url';
import { Module } from '@nestjs/common';
import { AguiModule } from 'nestjs-agui';
import { CopilotKitModule } from 'nestjs-agui/copilotkit';
import { ApprovalAgent } from './agents/approval.agent.js';
import { CalculatorAgent } from './agents/calculator.agent.js';
import { ChatAgent } from './agents/chat.agent.js';
import { DefaultAgent } from './agents/default.agent.js';
import { ProgressAgent } from './agents/progress.agent.js';
import { RecipeAgent } from './agents/recipe.agent.js';
import { ResearchAgent } from './agents/research.agent.js';
import { StepConverter } from './extensions/step.converter.js';
import { TenantEnricher } from './extensions/tenant.enricher.js';
import { TenantResolver } from './extensions/tenant.resolver.js';
import { HealthModule } from './health/health.module.js';
import { PageModule } from './page/page.module.js';
import { MailTools } from './tools/mail.tools.js';
import { OfficeTools } from './tools/office.tools.js';
import { WeatherTools } from './tools/weather.tools.js';

const configFile = fileURLToPath(
  new URL('../application.yaml', import.meta.url),
);

@Module({
  imports: [
    AguiModule.forRoot({ configFile }),
    CopilotKitModule.forRoot(),
    HealthModule,
    PageModule,
  ],
  providers: [
    DefaultAgent,
    ChatAgent,
    CalculatorAgent,
    ApprovalAgent,
    RecipeAgent,
    ResearchAgent,
    ProgressAgent,
    WeatherTools,
    OfficeTools,
    MailTools,
    StepConverter,
    TenantEnricher,
    TenantResolver,
  ],
})
export class AppModule {}
