import { Module } from '@nestjs/common';
import { RunTelemetry } from './run-telemetry.js';

/**
 * Traces and measures runs by the application's OpenTelemetry: each run is a span `agui.run`, its model
 * calls and tools are the span's children, and the run's context is active in them. Without an SDK
 * it does nothing.
 *
 * @example
 * ```ts
 * @Module({ imports: [AguiModule.forRoot(), AguiOpenTelemetryModule] })
 * export class AppModule {}
 * ```
 */
@Module({ providers: [RunTelemetry] })
export class AguiOpenTelemetryModule {}
