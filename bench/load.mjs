// The load process: asks a server for runs and reads their streams, so that none of its own time counts as the server's.
import { Agent, request } from 'node:http';
import { FrameCounter } from './frames.mjs';
import { inputOf } from './input.mjs';

const TASKS = { runs, hold, release };
const held = [];

/** Runs, some at a time: `{ port, path, prompt, runs, concurrency, historyBytes, stagger }`. */
async function runs(task) {
  const { concurrency, stagger = 0 } = task;
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
  const results = [];
  let next = 0;
  const began = performance.now();
  const worker = async (index) => {
    await pause(index * stagger);
    while (next++ < task.runs) results.push(await oneRun(task, agent));
  };
  await Promise.all(Array.from({ length: concurrency }, (_, i) => worker(i)));
  const wall = performance.now() - began;
  agent.destroy();
  return {
    wall,
    events: sum(results, 'events'),
    bytes: sum(results, 'bytes'),
    firstBytes: results.map(({ firstByte }) => firstByte),
  };
}

/** Opens streams and keeps them; resolves when each of them has said its first token. */
async function hold({ count, ...task }) {
  const opened = [];
  for (let index = 0; index < count; index++) {
    opened.push(
      new Promise((resolve, reject) => {
        const outgoing = post(task, undefined, (response) => {
          let text = '';
          response.on('error', () => {});
          response.on('data', (chunk) => {
            text += chunk;
            if (text.includes('TEXT_MESSAGE_CONTENT')) resolve();
          });
        });
        outgoing.on('error', reject);
        held.push(outgoing);
      }),
    );
    if (index % 50 === 49) await Promise.all(opened);
  }
  await Promise.all(opened);
  return {};
}

async function release() {
  for (const outgoing of held.splice(0)) {
    outgoing.removeAllListeners('error').on('error', () => {});
    outgoing.destroy();
  }
  return {};
}

function oneRun(task, agent) {
  return new Promise((resolve, reject) => {
    const frames = new FrameCounter();
    let bytes = 0;
    let firstByte;
    const outgoing = post(task, agent, (response) => {
      if (response.statusCode >= 300)
        reject(new Error(`status ${response.statusCode}`));
      response.on('data', (chunk) => {
        firstByte ??= performance.now() - began;
        bytes += chunk.length;
        frames.read(chunk);
      });
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          bytes,
          firstByte,
          events: frames.count,
        }),
      );
    });
    const began = performance.now();
    outgoing.on('error', reject);
  });
}

function post({ port, path, prompt, historyBytes }, agent, onResponse) {
  const body = inputOf(prompt, historyBytes);
  const outgoing = request(
    {
      port,
      path,
      agent: agent ?? new Agent(),
      host: '127.0.0.1',
      method: 'POST',
      headers: {
        Accept: 'text/event-stream',
        'Content-Type': 'application/json',
        'Content-Length': Buffer.byteLength(body),
      },
    },
    onResponse,
  );
  outgoing.end(body);
  return outgoing;
}

const pause = (ms) => ms && new Promise((done) => setTimeout(done, ms));
const sum = (all, name) => all.reduce((total, one) => total + one[name], 0);

process.on('message', async ({ id, ask, task }) => {
  try {
    process.send({ id, answer: await TASKS[ask](task) });
  } catch (error) {
    process.send({ id, failure: String(error.stack ?? error) });
  }
});
process.on('disconnect', () => process.exit());
process.send({ ready: {} });
