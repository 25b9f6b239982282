import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import project from '../../vitest.config.js';

const path = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  root: path('.'),
  resolve: project.resolve,
  oxc: project.oxc,
  test: {
    include: ['*.agents.ts'],
    setupFiles: ['../setup.ts'],
    // LangGraph's server has much to say.
    silent: 'passed-only',
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
