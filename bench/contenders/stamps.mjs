// How long tokens take from the agent to the socket, seen where the server hands them to the kernel.
import { Socket } from 'node:net';
import { quantile } from '../statistics.mjs';

let delays = [];

function read(chunk, now) {
  for (const [, stamp] of chunk.toString().matchAll(/@(\d+) /g))
    delays.push(Number(now - BigInt(stamp)) / 1e6);
}

/** Begins to look at what leaves. */
export function watchStamps() {
  if (Socket.prototype._writev.name === 'stamped') return;
  const { _write, _writev } = Socket.prototype;
  Socket.prototype._write = function stamped(chunk, ...rest) {
    read(chunk, process.hrtime.bigint());
    return _write.call(this, chunk, ...rest);
  };
  Socket.prototype._writev = function stamped(chunks, done) {
    const now = process.hrtime.bigint();
    for (const { chunk } of chunks) read(chunk, now);
    return _writev.call(this, chunks, done);
  };
}

/** What was seen since the last time. */
export function takeStamps() {
  const seen = delays;
  delays = [];
  return { median: quantile(seen, 0.5), p99: quantile(seen, 0.99) };
}
