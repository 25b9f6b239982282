import { aguiMatchers, type AguiMatchers } from './agui-matchers.js';

const { expect } = globalThis as unknown as {
  expect?: { extend(matchers: object): void };
};
if (expect === undefined)
  throw new Error(
    'nestjs-agui/testing/jest needs Jest’s global expect. With injectGlobals off, call expect.extend(aguiMatchers) instead.',
  );
expect.extend(aguiMatchers);

declare global {
  // oxlint-disable-next-line typescript/no-namespace -- Jest declares it so.
  namespace jest {
    interface Matchers<R, T = {}> extends AguiMatchers<R> {}
  }
}
