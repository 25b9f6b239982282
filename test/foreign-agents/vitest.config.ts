import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const path = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  root: path('.'),
  oxc: { decorator: { legacy: true, emitDecoratorMetadata: true } },
  resolve: {
    alias: [{ find: /^nestjs-agui$/, replacement: path('../../src/index.ts') }],
  },
  test: {
    include: ['*.agents.ts'],
    setupFiles: ['../setup.ts'],
    // LangGraph's server has much to say.
    silent: 'passed-only',
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
