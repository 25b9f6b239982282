import { defineConfig } from 'vitest/config';
import project from '../../vitest.config.js';

/** What has to hold under load, faults and hostile input (docs/reliability.md): slow, so apart from the other tests. */
export default defineConfig({
  ...project,
  test: {
    ...project.test,
    include: ['test/faults/*.faults.ts'],
    // One after the other, because they measure time and memory.
    fileParallelism: false,
    isolate: true,
    pool: 'forks',
    // What else the machine does is measured, too; what is wrong with the server is wrong twice.
    retry: 1,
    testTimeout: 300_000,
    hookTimeout: 60_000,
  },
});
