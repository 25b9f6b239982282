// Contenders side by side: each round measures all of them, one after another, so that what disturbs the machine disturbs all.
import { Child } from './child.mjs';

export const CONTENDERS = [
  'encoded',
  'plain',
  'express',
  'nest-sse',
  'copilotkit',
  'ours-express',
  'ours-fastify',
  'ours-express-extended',
  'ours-fastify-extended',
];

/** What makes a server warm: the way of a request, then the way of an event. */
const WARM_UP = [
  { prompt: 'text 5', runs: 1500, concurrency: 4 },
  { prompt: 'text 1000', runs: 60, concurrency: 4 },
];

/**
 * @param task what the load process is asked for each time.
 * @param once contenders that are too slow to be measured more than once.
 * @param measure measures one contender once: `({ server, load, task })`.
 * @returns what was measured, by contender.
 */
export async function inRounds(options, { task, measure, names, once = [] }) {
  const load = await Child.start('load.mjs');
  const servers = new Map();
  const figures = new Map();
  try {
    for (const name of names ?? options.contenders) {
      const server = await startContender(name);
      servers.set(name, server);
      figures.set(name, []);
      for (const warmUp of WARM_UP)
        await load.ask('runs', { ...server.ready, ...warmUp });
    }
    for (let round = 0; round < options.rounds; round++)
      for (const [name, server] of servers) {
        if (round > 0 && once.includes(name)) continue;
        const of = { ...server.ready, ...task };
        figures.get(name).push(await measure({ server, load, task: of }));
      }
    if (options.profile) await profileAll(options, servers, load, task, once);
  } finally {
    for (const child of [load, ...servers.values()]) await child.stop();
  }
  return figures;
}

export const startContender = (name) =>
  Child.start(`contenders/${name}.mjs`, ['--expose-gc']);

/** Asks for runs, and counts what the server did for them. */
export async function measureRuns({ server, load, task }) {
  const before = await server.ask('usage');
  const result = await load.ask('runs', task);
  const after = await server.ask('usage');
  const cpu = after.cpu - before.cpu;
  return {
    ...result,
    cpu,
    rss: after.rss,
    perCpuSecond: (result.events / cpu) * 1e6,
    perSecond: (result.events / result.wall) * 1e3,
    cpuPerRun: cpu / task.runs / 1000,
  };
}

async function profileAll({ profile }, servers, load, task, once) {
  for (const [name, server] of servers) {
    if (once.includes(name)) continue;
    await server.ask('profile-start');
    await load.ask('runs', { ...server.ready, ...task });
    await profile(name, await server.ask('profile-stop'));
  }
}
