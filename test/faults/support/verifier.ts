// Clients in a process of their own: they run scripts, and look at every event of every stream.
import { setTimeout as sleep } from 'node:timers/promises';
import { answers } from '../../support/answers.js';
import type { Burst, Sustained, Verdict } from './load-clients.js';
import { scriptedRun, type Outcome } from './scripted-run.js';

const MAX_TOLD = 10;

function verdictOn(outcomes: readonly Outcome[]): Verdict {
  const sum = (of: (outcome: Outcome) => number) =>
    outcomes.reduce((total, outcome) => total + of(outcome), 0);
  const statuses: Record<string, number> = {};
  for (const { status } of outcomes)
    statuses[status] = (statuses[status] ?? 0) + 1;
  const faults = outcomes.flatMap(({ fault = [] }) => fault);
  const heads = outcomes.map(({ head }) => head).sort((a, b) => a - b);
  const ends = outcomes.map(({ end }) => end).sort((a, b) => a - b);
  const at = (sorted: number[], part: number) =>
    sorted[Math.floor((sorted.length - 1) * part)]!;
  return {
    statuses,
    faults: faults.length,
    examples: faults.slice(0, MAX_TOLD),
    events: sum(({ events }) => events),
    size: sum(({ size }) => size),
    head: { median: at(heads, 0.5), p99: at(heads, 0.99) },
    end: { median: at(ends, 0.5), p99: at(ends, 0.99) },
  };
}

answers({
  async burst({ port, runs, script }: Burst) {
    const start = performance.now();
    const outcomes = await Promise.all(
      Array.from({ length: runs }, (_, n) =>
        scriptedRun({ port, script, id: `burst-${n}` }),
      ),
    );
    return { ...verdictOn(outcomes), time: performance.now() - start };
  },

  async sustained({ port, perSecond, seconds, script }: Sustained) {
    const start = performance.now();
    const outcomes: Promise<Outcome>[] = [];
    const due = () => ((performance.now() - start) / 1000) * perSecond;
    while (outcomes.length < perSecond * seconds) {
      while (outcomes.length < Math.min(due(), perSecond * seconds)) {
        const id = `sustained-${outcomes.length}`;
        outcomes.push(scriptedRun({ port, script, id }));
      }
      await sleep(5);
    }
    const verdict = verdictOn(await Promise.all(outcomes));
    return { ...verdict, time: performance.now() - start };
  },
});
process.send!('ready');
