import { Module } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import { AguiHealthIndicator } from 'nestjs-agui/terminus';
import { HealthController } from './health.controller.js';

@Module({
  imports: [TerminusModule],
  controllers: [HealthController],
  providers: [AguiHealthIndicator],
})
export class HealthModule {}
