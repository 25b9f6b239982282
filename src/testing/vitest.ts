import { expect } from 'vitest';
import { aguiMatchers, type AguiMatchers } from './agui-matchers.js';

expect.extend(aguiMatchers);

declare module 'vitest' {
  // oxlint-disable-next-line typescript/no-explicit-any -- Vitest declares it so.
  interface Assertion<T = any> extends AguiMatchers<T> {}
}
