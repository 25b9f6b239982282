import { measureRuns, inRounds } from '../rounds.mjs';
import { median, spread } from '../statistics.mjs';
import { factor, ms, percent, table } from '../table.mjs';

export const title = 'e: a history of 4 MB in the request';

export async function run(options) {
  const figures = await inRounds(options, {
    task: {
      prompt: 'text 5',
      historyBytes: 4 * 2 ** 20,
      runs: 8,
      concurrency: 1,
    },
    measure: measureRuns,
  });
  const cost = (name) => figures.get(name)?.map(({ cpuPerRun }) => cpuPerRun);
  const plain = cost('plain') ?? [];
  return table(
    ['contender', 'CPU time per run', 'spread', 'first byte', '× plain'],
    [...figures].map(([name, rounds]) => [
      name,
      ms(median(cost(name))),
      percent(spread(cost(name))),
      ms(median(rounds.flatMap(({ firstBytes }) => firstBytes))),
      factor(median(cost(name).map((one, round) => one / plain[round]))),
    ]),
  );
}
