import { measureRuns, inRounds } from '../rounds.mjs';
import { throughput } from '../throughput.mjs';

export const title = 'c: one run of 100,000 events';

/** Its cost grows with the square of the events: 90 s of CPU time for this run. */
const SLOW = 'copilotkit';

export async function run(options) {
  const figures = await inRounds(options, {
    task: { prompt: 'text 100000', runs: 1, concurrency: 1 },
    names: options.contenders.filter((name) => options.slow || name !== SLOW),
    once: [SLOW],
    measure: measureRuns,
  });
  return throughput(figures, { targets: true });
}
