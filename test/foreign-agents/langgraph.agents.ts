import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer } from '@langchain/langgraph-api/server';
import { afterAll, beforeAll, vi } from 'vitest';
import type { AgentFactory } from 'nestjs-agui';
import { behaves } from './behaviour.js';
import { fromDocs } from './docs-code.js';

/** LangGraph's own server, which keeps its threads in memory. */
let server: Awaited<ReturnType<typeof startServer>>;
let factory: AgentFactory;
const waits = new EventTarget();
const folder = mkdtempSync(join(tmpdir(), 'langgraph-'));

beforeAll(async () => {
  (globalThis as Record<symbol, unknown>)[
    Symbol.for('nestjs-agui:graph-waits')
  ] = waits;
  const port = await freePort();
  server = await startServer({
    port,
    host: '127.0.0.1',
    nWorkers: 10,
    cwd: folder,
    graphs: { talk: `${join(import.meta.dirname, 'graph.mjs')}:graph` },
  });
  vi.stubEnv('LANGGRAPH_URL', `http://127.0.0.1:${port}`);
  factory = await fromDocs('langgraph.agent.ts', 'langGraphAgent');
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await server.cleanup();
  rmSync(folder, { recursive: true });
});

behaves('LangGraph', () => ({
  factory,
  waits: () => ({
    started: once(waits, 'start'),
    stopped: once(waits, 'stop'),
  }),
}));

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}
