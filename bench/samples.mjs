// In-process figures: several functions in turns, each measured by tinybench, in CPU time.
import { Bench } from 'tinybench';
import { median, spread } from './statistics.mjs';

/** The process's CPU time in milliseconds: what others do on the machine does not count. */
function cpuNow() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/**
 * @param tasks functions by name.
 * @returns milliseconds of CPU time for one call in each round, by name.
 */
export async function inTurns(tasks, rounds, time = 300) {
  const figures = Object.fromEntries(
    Object.keys(tasks).map((name) => [name, []]),
  );
  for (let round = 0; round < rounds; round++)
    for (const [name, task] of Object.entries(tasks)) {
      const bench = new Bench({
        now: cpuNow,
        time,
        iterations: 3,
        warmupTime: round === 0 ? 500 : 50,
        warmupIterations: 1,
        throws: true,
      });
      const [{ result }] = await bench.add(name, task).run();
      figures[name].push(result.latency.mean);
    }
  return figures;
}

/** The median of a task, and of its ratio to another one in the same round. */
export const summary = (figures, name, other) => ({
  value: median(figures[name]),
  spread: spread(figures[name]),
  ratio:
    other && median(figures[name].map((one, i) => one / figures[other][i])),
});
