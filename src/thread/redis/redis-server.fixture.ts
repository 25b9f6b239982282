import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis, type RedisOptions } from 'ioredis';
import { vi } from 'vitest';

/** Whether this machine has a Redis; tests that need one are skipped otherwise. */
export const HAS_REDIS = hasRedis();

function hasRedis(): boolean {
  try {
    execFileSync('redis-server', ['--version'], { stdio: 'ignore' });
    return true;
  } catch (error) {
    if (process.env['REQUIRE_REDIS']) throw error;
    return false;
  }
}

/** A Redis of the test's own, which keeps nothing on the disk. */
export class RedisServer {
  private process: ChildProcess | undefined;
  private readonly clients: Redis[] = [];

  private constructor(
    readonly port: number,
    private readonly directory: string,
  ) {}

  static async start(): Promise<RedisServer> {
    const directory = mkdtempSync(join(tmpdir(), 'redis-'));
    const server = new RedisServer(await freePort(), directory);
    await server.run();
    return server;
  }

  client(options: RedisOptions = {}): Redis {
    const client = new Redis({
      port: this.port,
      host: '127.0.0.1',
      maxRetriesPerRequest: 1,
      retryStrategy: () => 50,
      ...options,
    });
    client.on('error', () => undefined);
    this.clients.push(client);
    return client;
  }

  async run(): Promise<void> {
    this.process = spawn(
      'redis-server',
      [
        ...['--port', String(this.port), '--bind', '127.0.0.1'],
        ...['--dir', this.directory, '--save', '', '--appendonly', 'no'],
      ],
      { stdio: 'ignore' },
    );
    const probe = new Redis({
      port: this.port,
      host: '127.0.0.1',
      retryStrategy: () => 20,
      maxRetriesPerRequest: null,
    });
    probe.on('error', () => undefined);
    await vi.waitFor(() => probe.ping(), { timeout: 10_000 });
    probe.disconnect();
  }

  /** Ends the server; what it kept is gone. */
  async kill(): Promise<void> {
    const { process } = this;
    if (process === undefined) return;
    this.process = undefined;
    const gone = once(process, 'exit');
    process.kill('SIGKILL');
    await gone;
  }

  async stop(): Promise<void> {
    for (const client of this.clients) client.disconnect();
    await this.kill();
    rmSync(this.directory, { recursive: true, force: true });
  }
}

/** A port that nobody listens on. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
