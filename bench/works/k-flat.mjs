import { LiveThreads } from '../live-threads.mjs';
import { framesByUs, inputFor } from '../in-process.mjs';
import { inTurns, summary } from '../samples.mjs';
import { factor, percent, table, verdict } from '../table.mjs';

export const title =
  'k: in process, the cost of an event in short and long runs, with few and many live threads';

const MOST = 1.1;

export async function run({ rounds }) {
  const few = await LiveThreads.open(10);
  const many = await LiveThreads.open(10_000);
  const short = inputFor('text 1000');
  const long = inputFor('text 100000');
  const figures = await inTurns(
    {
      'a run of 1,000 events': () => framesByUs(short),
      'a run of 100,000 events': () => framesByUs(long),
      'recorded, 10 live threads': () => few.run('text 1000'),
      'recorded, 10,000 live threads': () => many.run('text 1000'),
    },
    rounds,
  );
  await few.close();
  await many.close();
  const row = (name, events, other, eventsOfOther) => {
    const { value, spread, ratio } = summary(figures, name, other);
    const each = other && ratio / (events / eventsOfOther);
    return [
      name,
      `${((value / events) * 1000).toFixed(2)} µs`,
      percent(spread),
      other ? factor(each) : '',
      other ? verdict(each <= MOST, 'flat within 10 %') : '',
    ];
  };
  return table(
    ['what', 'per event', 'spread', 'against the first', 'target'],
    [
      row('a run of 1,000 events', 1000),
      row('a run of 100,000 events', 100_000, 'a run of 1,000 events', 1000),
      row('recorded, 10 live threads', 1000),
      row(
        'recorded, 10,000 live threads',
        1000,
        'recorded, 10 live threads',
        1000,
      ),
    ],
  );
}
