import { measureRuns, inRounds } from '../rounds.mjs';
import { median, quantile, spread } from '../statistics.mjs';
import { ms, percent, table, verdict } from '../table.mjs';

export const title =
  'g: the first byte of the stream after the request, the agent being ready at once';

const MOST_ABOVE_PLAIN = 0.3;

export async function run(options) {
  const figures = await inRounds(options, {
    task: { prompt: 'text 1', runs: 300, concurrency: 1 },
    measure: measureRuns,
  });
  const medians = (name) =>
    figures.get(name)?.map(({ firstBytes }) => median(firstBytes)) ?? [];
  const plain = medians('plain');
  return table(
    [
      'contender',
      'median',
      'spread',
      'p99',
      'above plain',
      'CPU time per run',
      'target',
    ],
    [...figures].map(([name, rounds]) => {
      const above = median(medians(name).map((one, i) => one - plain[i]));
      return [
        name,
        ms(median(medians(name))),
        percent(spread(medians(name))),
        ms(median(rounds.map(({ firstBytes }) => quantile(firstBytes, 0.99)))),
        ms(above),
        ms(median(rounds.map(({ cpuPerRun }) => cpuPerRun))),
        name.startsWith('ours')
          ? verdict(above <= MOST_ABOVE_PLAIN, '≤ 0.3 ms')
          : '',
      ];
    }),
  );
}
