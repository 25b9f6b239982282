import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import project from '../../vitest.config.js';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  ...project,
  root: here('.'),
  test: {
    include: ['*.browser.ts'],
    globalSetup: ['support/build-page.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    fileParallelism: false,
    // A browser on a busy machine is late now and then.
    retry: 2,
    isolate: false,
  },
});
