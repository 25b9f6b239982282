// What the contenders on bare node:http share.
/** The JSON body of a request. */
export async function readJson(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString());
}

export const SSE_HEADERS = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-cache, no-transform',
  'X-Accel-Buffering': 'no',
};

/** Resolves when the client has taken what was written. */
export const drained = (response) =>
  new Promise((resolve) => response.once('drain', resolve));
