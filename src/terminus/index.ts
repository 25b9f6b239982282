export {
  AguiHealthIndicator,
  type AguiHealth,
} from './agui-health.indicator.js';
