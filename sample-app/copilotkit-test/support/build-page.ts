import { execFileSync } from 'node:child_process';
import { BUILD_SCRIPT } from '../../src/page/page-paths.js';
import { PAGE } from './page-server.js';

/** Installs what the page consists of, and builds it, if that has not been done. */
export default function buildPage(): void {
  execFileSync(process.execPath, [BUILD_SCRIPT, PAGE], { stdio: 'inherit' });
}
