import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const source = (path: string) =>
  fileURLToPath(new URL(`../../src/${path}`, import.meta.url));
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  root: here('.'),
  oxc: { decorator: { legacy: true, emitDecoratorMetadata: true } },
  resolve: {
    alias: [
      { find: /^nestjs-agui$/, replacement: source('index.ts') },
      { find: /^nestjs-agui\/ai-sdk$/, replacement: source('ai-sdk/index.ts') },
      {
        find: /^nestjs-agui\/copilotkit$/,
        replacement: source('copilotkit/index.ts'),
      },
    ],
  },
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
