import { measureRuns, inRounds } from '../rounds.mjs';
import { throughput } from '../throughput.mjs';

export const title = 'a: a text run of 1,000 tokens';

export async function run(options) {
  const figures = await inRounds(options, {
    task: { prompt: 'text 1000', runs: 100, concurrency: 4 },
    measure: measureRuns,
  });
  return throughput(figures, { targets: true });
}
