// The yardstick: node:http, an async generator, JSON.stringify and one write per event.
import { createServer } from 'node:http';
import { aguiEvents } from '../agent.mjs';
import { SSE_HEADERS, drained, readJson } from './node-http.mjs';
import { listenOn, serve } from './serve.mjs';

const server = createServer(async (request, response) => {
  const input = await readJson(request);
  response.writeHead(200, SSE_HEADERS);
  response.flushHeaders();
  for await (const event of aguiEvents(input))
    if (!response.write(`data: ${JSON.stringify(event)}\n\n`))
      await drained(response);
  response.end();
});

await serve(listenOn(server, '/run'));
