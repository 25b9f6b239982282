import { fileURLToPath } from 'node:url';
import { mergeConfig } from 'vitest/config';
import browserTest from '../browser-test/vitest.config.js';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default mergeConfig(browserTest, {
  root: here('.'),
  test: { globalSetup: [here('support/build-page.ts')] },
});
