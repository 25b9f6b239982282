import { Child } from '../child.mjs';
import { startContender } from '../rounds.mjs';
import { median, spread } from '../statistics.mjs';
import { kb, percent, table, verdict } from '../table.mjs';

export const title = 'd: 1,000 idle open streams';

/** Opened before the measurement, so that what is made once does not count. */
const BEFORE = 500;
const STREAMS = 1000;
const MOST_ABOVE_PLAIN = 10 * 1024;

export async function run({ contenders, rounds }) {
  const load = await Child.start('load.mjs');
  const figures = new Map(contenders.map((name) => [name, []]));
  for (let round = 0; round < Math.min(rounds, 2); round++)
    for (const name of contenders)
      figures.get(name).push(await one(name, load));
  await load.stop();
  const of = (name, what) => median(figures.get(name).map((f) => f[what]));
  const plain = figures.has('plain') ? of('plain', 'rss') : NaN;
  return table(
    [
      'contender',
      'RSS per stream',
      'spread',
      'heap per stream',
      'RSS above plain',
      'target',
    ],
    contenders.map((name) => {
      const above = of(name, 'rss') - plain;
      return [
        name,
        kb(of(name, 'rss')),
        percent(spread(figures.get(name).map(({ rss }) => rss))),
        kb(of(name, 'heap')),
        kb(above),
        name.startsWith('ours')
          ? verdict(above <= MOST_ABOVE_PLAIN, '≤ 10 KB')
          : '',
      ];
    }),
  );
}

async function one(name, load) {
  const server = await startContender(name);
  const task = { ...server.ready, prompt: 'idle' };
  await load.ask('hold', { ...task, count: BEFORE });
  const before = await settled(server);
  await load.ask('hold', { ...task, count: STREAMS });
  const after = await settled(server);
  await load.ask('release');
  await server.stop();
  const each = (what) => (after[what] - before[what]) / STREAMS;
  return { rss: each('rss'), heap: each('heapUsed') };
}

async function settled(server) {
  await new Promise((resolve) => setTimeout(resolve, 300));
  return server.ask('collect');
}
