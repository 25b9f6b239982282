// Events per CPU second, against plain, the hand-written NestJS controller and CopilotKit's runtime.
import { median, spread } from './statistics.mjs';
import { count, factor, percent, table, verdict } from './table.mjs';

/** @param targets whether the issue's targets apply to this work. */
export function throughput(figures, { targets }) {
  const rows = [...figures].map(([name, rounds]) => {
    const cpu = rounds.map(({ perCpuSecond }) => perCpuSecond);
    return [
      name,
      count(rounds[0].events),
      count(median(cpu)),
      percent(spread(cpu)),
      count(median(rounds.map(({ perSecond }) => perSecond))),
      `${Math.round(median(rounds.map(({ rss }) => rss)) / 2 ** 20)} MB`,
      factor(ratio(figures, name, 'plain')),
      targets ? judged(figures, name) : '',
    ];
  });
  return table(
    [
      'contender',
      'events a round',
      'events per CPU s',
      'spread',
      'events per s',
      'RSS',
      '× plain',
      'target',
    ],
    rows,
  );
}

/** Ratios within a round: what disturbs a round disturbs both. */
function ratio(figures, name, other) {
  const [a, b] = [figures.get(name), figures.get(other)];
  if (b === undefined) return NaN;
  const rounds = Math.min(a.length, b.length);
  return median(
    Array.from(
      { length: rounds },
      (_, round) => a[round].perCpuSecond / b[round].perCpuSecond,
    ),
  );
}

function judged(figures, name) {
  if (!name.startsWith('ours')) return '';
  const against = (other, least) => {
    const reached = ratio(figures, name, other);
    return Number.isNaN(reached)
      ? []
      : [
          `${factor(reached)} ${other} ${verdict(reached >= least, `≥ ${least}`)}`,
        ];
  };
  if (name.endsWith('extended')) return against('plain', 0.8).join('; ');
  return [
    ...against('plain', 1),
    ...against('nest-sse', 5),
    ...against('copilotkit', 10),
  ].join('; ');
}
