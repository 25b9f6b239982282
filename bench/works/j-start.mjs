import { Child } from '../child.mjs';
import { median, spread } from '../statistics.mjs';
import { ms, percent, table, verdict } from '../table.mjs';

export const title =
  'j: import and init of a Nest application (Express), in a process of its own';

const MOST = 60;

export async function run({ rounds }) {
  const figures = { 'start/bare.mjs': [], 'start/with-agui.mjs': [] };
  for (let round = 0; round < Math.max(3, rounds * 2); round++)
    for (const [module, measured] of Object.entries(figures)) {
      const app = await Child.start(module);
      measured.push(app.ready);
      await app.stop();
    }
  const [bare, ours] = Object.values(figures);
  const above = (what) =>
    median(ours.map((one, round) => one[what] - bare[round][what]));
  const row = (name, all) => [
    name,
    ms(median(all.map(({ wall }) => wall))),
    percent(spread(all.map(({ wall }) => wall))),
    ms(median(all.map(({ cpu }) => cpu))),
    '',
  ];
  return table(
    ['application', 'wall time', 'spread', 'CPU time', 'target'],
    [
      row('bare', bare),
      row('with AguiModule', ours),
      [
        'difference',
        ms(above('wall')),
        '',
        ms(above('cpu')),
        verdict(above('wall') <= MOST, `≤ ${MOST} ms`),
      ],
    ],
  );
}
