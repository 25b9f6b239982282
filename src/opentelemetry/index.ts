export { AguiOpenTelemetryModule } from './agui-open-telemetry.module.js';
