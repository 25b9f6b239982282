import { execFileSync } from 'node:child_process';
import { BUILD_SCRIPT } from '../../src/page/page-paths.js';

/** The suite looks at the page as it is now. */
export default function buildPage(): void {
  execFileSync(process.execPath, [BUILD_SCRIPT], { stdio: 'inherit' });
}
