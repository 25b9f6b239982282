import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  oxc: { decorator: { legacy: true, emitDecoratorMetadata: true } },
  resolve: {
    alias: {
      'nestjs-agui': fileURLToPath(new URL('src/index.ts', import.meta.url)),
    },
  },
  test: {
    include: ['{src,test,sample-app}/**/*.spec.ts'],
    setupFiles: ['test/setup.ts'],
    pool: 'threads',
    isolate: false,
    maxWorkers: 2,
  },
});
