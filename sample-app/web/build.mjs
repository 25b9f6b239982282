// Builds the page, or that of the folder that is named, if it is not there or older than its sources, and
// installs what that needs.
import { spawnSync } from 'node:child_process';
import {
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const folder = resolve(process.argv[2] ?? import.meta.dirname);
const at = (path) => join(folder, path);
const SOURCES = [
  'src',
  'public',
  'index.html',
  'package-lock.json',
  'tsconfig.json',
  'vite.config.ts',
];
const LOCK = at('.building');
const LONGEST_BUILD = 10 * 60_000;

function timeOf(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** When a file, or the youngest file in a folder, was written. */
function youngest(path) {
  const status = statSync(path, { throwIfNoEntry: false });
  if (!status?.isDirectory()) return status?.mtimeMs ?? 0;
  return Math.max(
    status.mtimeMs,
    ...readdirSync(path).map((name) => youngest(join(path, name))),
  );
}

function isBuilt() {
  const built = timeOf(at('dist/index.html'));
  return built > 0 && SOURCES.every((path) => youngest(at(path)) <= built);
}

function run(...args) {
  const { status, error } = spawnSync('npm', args, {
    cwd: folder,
    stdio: 'inherit',
    env: { ...process.env, NODE_ENV: 'production' },
    shell: process.platform === 'win32',
  });
  if (error) console.error(error.message);
  if (status === 0) return;
  rmSync(LOCK, { force: true });
  process.exit(status ?? 1);
}

/** Two servers of one checkout may start at a time: one builds, the other waits. */
function lock() {
  try {
    writeFileSync(LOCK, String(process.pid), { flag: 'wx' });
    return true;
  } catch {
    const isForgotten = Date.now() - timeOf(LOCK) > LONGEST_BUILD;
    if (isForgotten || !isAlive(builder())) rmSync(LOCK, { force: true });
    return false;
  }
}

function builder() {
  try {
    return Number(readFileSync(LOCK, 'utf8'));
  } catch {
    return 0;
  }
}

function isAlive(pid) {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch {
    return false;
  }
}

while (!isBuilt()) {
  if (!lock()) {
    await sleep(500);
    continue;
  }
  const installed = timeOf(at('node_modules/.package-lock.json'));
  if (installed < timeOf(at('package-lock.json')))
    run('ci', '--include=dev', '--no-audit', '--no-fund', '--fetch-retries=1');
  run('run', 'build');
  rmSync(LOCK, { force: true });
  break;
}
