import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const source = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  oxc: { decorator: { legacy: true, emitDecoratorMetadata: true } },
  resolve: {
    alias: [
      { find: /^nestjs-agui$/, replacement: source('src/index.ts') },
      {
        find: /^nestjs-agui\/ai-sdk$/,
        replacement: source('src/ai-sdk/index.ts'),
      },
    ],
  },
  test: {
    include: ['{src,test,sample-app}/**/*.spec.ts'],
    setupFiles: ['test/setup.ts'],
    pool: 'threads',
    isolate: false,
    maxWorkers: 2,
  },
});
