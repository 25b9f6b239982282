import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { PLATFORMS } from './support/app.js';
import { GUARD_WAYS } from './support/guard-ways.js';

const run = promisify(execFile);
const root = fileURLToPath(new URL('..', import.meta.url));
const output = join(root, 'node_modules/.cache/nestjs-agui/first-app');

/** Only classes can be forgotten: instances are there. */
const WAYS = Object.keys(GUARD_WAYS).filter(
  (way) => !/instance|useGlobalGuards/.test(way),
);

/** Nest may forget a guard in the first application of a process and remember it from the second on, so each of these is a process of its own. */
describe.concurrent('The first application of a process', () => {
  beforeAll(async () => {
    mkdirSync(output, { recursive: true });
    // By this file the compiled specs find the compiled package by its name.
    writeFileSync(
      join(output, 'package.json'),
      '{ "name": "nestjs-agui", "type": "module", "exports": "./src/index.js" }',
    );
    const config = join(root, 'test/support/first-app.tsconfig.json');
    await run(process.execPath, [
      join(root, 'node_modules/typescript/bin/tsc'),
      ...['-p', config, '--outDir', output],
    ]);
  }, 60_000);

  it.each(
    WAYS.map(
      (way, index) => [way, PLATFORMS[index % PLATFORMS.length]!] as const,
    ),
  )(
    'should refuse who has no token with %s, on %s',
    async (way, platform) => {
      const script = join(output, 'test/support/first-app.js');
      const { stdout } = await run(process.execPath, [script, platform, way]);
      expect(JSON.parse(stdout)).toEqual([401, 401, 401, 200]);
    },
    30_000,
  );
});
