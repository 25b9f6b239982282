// A hand-written Express handler with AG-UI's encoder.
import { EventEncoder } from '@ag-ui/encoder';
import express from 'express';
import { createServer } from 'node:http';
import { aguiEvents } from '../agent.mjs';
import { SSE_HEADERS, drained } from './node-http.mjs';
import { listenOn, serve } from './serve.mjs';

const app = express();
app.use(express.json({ limit: '10mb' }));
app.post('/run', async (request, response) => {
  const encoder = new EventEncoder({ accept: request.headers.accept });
  response.writeHead(200, SSE_HEADERS);
  response.flushHeaders();
  for await (const event of aguiEvents(request.body))
    if (!response.write(encoder.encodeSSE(event))) await drained(response);
  response.end();
});

await serve(listenOn(createServer(app), '/run'));
