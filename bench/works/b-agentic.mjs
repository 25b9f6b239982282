import { measureRuns, inRounds } from '../rounds.mjs';
import { throughput } from '../throughput.mjs';

export const title =
  'b: an agentic run: 3 turns, reasoning, 4 tool calls with results of 2 KB, state deltas';

export async function run(options) {
  const figures = await inRounds(options, {
    task: { prompt: 'agentic', runs: 100, concurrency: 4 },
    measure: measureRuns,
  });
  return throughput(figures, { targets: false });
}
