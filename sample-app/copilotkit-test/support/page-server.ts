import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const PAGE = fileURLToPath(new URL('../page', import.meta.url));

const MEDIA_TYPES: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
};

/** Serves the page from an origin of its own, as front ends often have. */
export async function servePage(): Promise<Server & { url: string }> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url!, 'http://localhost');
    const file = pathname === '/' ? '/index.html' : pathname;
    readFile(join(PAGE, 'dist', file)).then(
      (content) => {
        response.setHeader(
          'content-type',
          MEDIA_TYPES[extname(file)] ?? 'application/octet-stream',
        );
        response.end(content);
      },
      () => response.writeHead(404).end(),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return Object.assign(server, { url: `http://127.0.0.1:${port}` });
}
