import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';
import { freePort } from '../../../src/thread/redis/redis-server.fixture.js';

const TEMP_PATHS = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];

/** An nginx as Debian has it, in front of a server; what is not set is as nginx has it by default. */
export class Nginx {
  private constructor(
    readonly port: number,
    private readonly process: ChildProcess,
    private readonly directory: string,
  ) {}

  /** @param settings what its location has besides where the server is. */
  static async start(upstream: number, settings: string): Promise<Nginx> {
    const directory = mkdtempSync(join(tmpdir(), 'nginx-'));
    const port = await freePort();
    const path = join(directory, 'nginx.conf');
    const paths = TEMP_PATHS.map(
      (name) => `${name}_temp_path ${join(directory, name)};`,
    );
    writeFileSync(
      path,
      `daemon off;
      pid ${join(directory, 'nginx.pid')};
      error_log ${join(directory, 'error.log')};
      events {}
      http {
        access_log off;
        ${paths.join('\n')}
        server {
          listen 127.0.0.1:${port};
          location / {
            proxy_pass http://127.0.0.1:${upstream};
            ${settings}
          }
        }
      }`,
    );
    const child = spawn('nginx', ['-c', path, '-e', 'stderr'], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    await vi.waitFor(() => reach(port), { timeout: 10_000 });
    return new Nginx(port, child, directory);
  }

  async stop(): Promise<void> {
    const gone = once(this.process, 'exit');
    this.process.kill('SIGTERM');
    await gone;
    rmSync(this.directory, { recursive: true, force: true });
  }
}

async function reach(port: number): Promise<void> {
  const socket = connect({ port, host: '127.0.0.1' });
  await once(socket, 'connect');
  socket.destroy();
}
