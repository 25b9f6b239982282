// What every contender does besides serving: it tells the runner its port, CPU time and memory.
import { Session } from 'node:inspector/promises';
import { takeStamps, watchStamps } from './stamps.mjs';

let profiler;

const ANSWERS = {
  usage() {
    const { user, system } = process.cpuUsage();
    return { cpu: user + system, rss: process.memoryUsage.rss() };
  },
  collect() {
    for (let pass = 0; pass < 3; pass++) globalThis.gc?.();
    return process.memoryUsage();
  },
  'stamps-watch': watchStamps,
  'stamps-take': takeStamps,
  async 'profile-start'() {
    profiler = new Session();
    profiler.connect();
    await profiler.post('Profiler.enable');
    await profiler.post('Profiler.setSamplingInterval', { interval: 200 });
    await profiler.post('Profiler.start');
  },
  async 'profile-stop'() {
    const { profile } = await profiler.post('Profiler.stop');
    profiler.disconnect();
    return profile;
  },
};

/** @param listen starts the server; returns its port and the path of its run route. */
export async function serve(listen) {
  process.on('message', async ({ id, ask }) => {
    process.send({ id, answer: await ANSWERS[ask]() });
  });
  process.on('disconnect', () => process.exit());
  process.send({ ready: await listen() });
}

/** The same for a server of node:http. */
export const listenOn = (server, path) => () =>
  new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () =>
      resolve({ port: server.address().port, path }),
    ),
  );
