// The limit: node:http writing frames that were encoded before, one write per event, in a loop without an agent.
import { createServer } from 'node:http';
import { aguiEvents, taskOf } from '../agent.mjs';
import { SSE_HEADERS, drained, readJson } from './node-http.mjs';
import { listenOn, serve } from './serve.mjs';

const frame = (event) => `data: ${JSON.stringify(event)}\n\n`;
const ready = new Map();

async function framesOf(input) {
  const { work, count } = taskOf(input);
  const key = `${work} ${count}`;
  if (!ready.has(key)) {
    const frames = [];
    for await (const event of aguiEvents(input)) frames.push(frame(event));
    ready.set(key, frames);
  }
  return ready.get(key);
}

async function* pacedFrames(input) {
  for await (const event of aguiEvents(input)) yield frame(event);
}

const server = createServer(async (request, response) => {
  const input = await readJson(request);
  const { work } = taskOf(input);
  const waits = work === 'idle' || work === 'paced';
  response.writeHead(200, SSE_HEADERS);
  response.flushHeaders();
  if (waits) for await (const one of pacedFrames(input)) response.write(one);
  else
    for (const one of await framesOf(input))
      if (!response.write(one)) await drained(response);
  response.end();
});

await serve(listenOn(server, '/run'));
