import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const source = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The packages that stand in for the AI SDK 6 when the suite runs on 7. */
const AI_SDK_7 = {
  ai: 'ai-7',
  '@ai-sdk/openai-compatible': '@ai-sdk/openai-compatible-3',
  '@ai-sdk/anthropic': '@ai-sdk/anthropic-4',
  '@ai-sdk/mcp': '@ai-sdk/mcp-2',
  '@ai-sdk/mcp/mcp-stdio': '@ai-sdk/mcp-2/mcp-stdio',
};

const aiSdk =
  process.env['AI_SDK'] === '7'
    ? Object.entries(AI_SDK_7).map(([name, replacement]) => ({
        find: new RegExp(`^${name}$`),
        replacement,
      }))
    : [];

export default defineConfig({
  oxc: { decorator: { legacy: true, emitDecoratorMetadata: true } },
  resolve: {
    alias: [
      ...aiSdk,
      { find: /^nestjs-agui$/, replacement: source('src/index.ts') },
      {
        find: /^nestjs-agui\/redis$/,
        replacement: source('src/thread/redis/index.ts'),
      },
      {
        find: /^nestjs-agui\/testing\/(jest|vitest)$/,
        replacement: source('src/testing/$1.ts'),
      },
      {
        find: /^nestjs-agui\/([^/]+)$/,
        replacement: source('src/$1/index.ts'),
      },
    ],
  },
  test: {
    include: ['{src,test,sample-app,schematics}/**/*.spec.ts'],
    setupFiles: ['test/setup.ts'],
    pool: 'threads',
    isolate: false,
    maxWorkers: 2,
    // A test that waits for an event is not wrong because the machine is busy.
    testTimeout: 20_000,
    hookTimeout: 20_000,
  },
});
