import { measureRuns, inRounds } from '../rounds.mjs';
import { median, spread } from '../statistics.mjs';
import { ms, percent, table, verdict } from '../table.mjs';

export const title =
  'f: 200 parallel runs with 20 ms between tokens: how long a token takes from the agent to the socket';

const MOST_ABOVE_PLAIN = 2;

export async function run(options) {
  const figures = await inRounds(options, {
    task: {
      prompt: 'paced 50 20',
      runs: 200,
      concurrency: 200,
      stagger: 0.1,
    },
    measure: measureStamps,
  });
  const plain = figures.get('plain') ?? [];
  return table(
    [
      'contender',
      'median',
      'p99',
      'spread of p99',
      'p99 above plain',
      'CPU per token',
      'target',
    ],
    [...figures].map(([name, rounds]) => {
      const p99 = rounds.map(({ delays }) => delays.p99);
      const above = median(p99.map((one, i) => one - plain[i]?.delays.p99));
      const perToken = rounds.map(({ cpu, events }) => cpu / events);
      return [
        name,
        ms(median(rounds.map(({ delays }) => delays.median))),
        ms(median(p99)),
        percent(spread(p99)),
        ms(above),
        `${median(perToken).toFixed(1)} µs`,
        name.startsWith('ours')
          ? verdict(above <= MOST_ABOVE_PLAIN, '≤ 2 ms')
          : '',
      ];
    }),
  );
}

async function measureStamps(of) {
  await of.server.ask('stamps-watch');
  const result = await measureRuns(of);
  return { ...result, delays: await of.server.ask('stamps-take') };
}
