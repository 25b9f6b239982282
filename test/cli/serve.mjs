// Starts an application, and lets its agent "weather" answer once.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout } from 'node:timers/promises';

const port = await freePort();
const application = spawn(process.execPath, [process.argv[2]], {
  env: { ...process.env, PORT: String(port) },
  stdio: ['ignore', 'inherit', 'inherit'],
});
try {
  const response = await ask();
  const events = (await response.text())
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => JSON.parse(line.slice('data: '.length)));
  assert.deepEqual(
    events.map(({ type, delta }) => delta ?? type),
    [
      'RUN_STARTED',
      'TEXT_MESSAGE_START',
      'You said: Hello',
      'TEXT_MESSAGE_END',
      'RUN_FINISHED',
    ],
  );
} finally {
  application.kill();
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/** An application says nothing once it listens, so it is asked until it answers. */
async function ask() {
  for (let attempt = 0; attempt < 120; attempt++) {
    try {
      return await run();
    } catch (error) {
      if (error.cause?.code !== 'ECONNREFUSED') throw error;
      if (application.exitCode !== null)
        throw new Error('The application has ended.', { cause: error });
      await setTimeout(500);
    }
  }
  throw new Error('The application does not listen.');
}

function run() {
  return fetch(`http://127.0.0.1:${port}/agui/run/weather`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      threadId: 'thread-1',
      runId: 'run-1',
      messages: [{ id: 'message-1', role: 'user', content: 'Hello' }],
    }),
  });
}
