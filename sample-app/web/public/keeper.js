// A service worker that holds on to the streams of runs. The server stops a run whose client leaves; a page that is
// loaded again leaves only for a moment, so its worker stays on the line and the page finds the run going on.

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) =>
  event.waitUntil(self.clients.claim()),
);

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { pathname } = new URL(request.url);
  if (request.method !== 'POST' || !/^\/agui\/run\b/.test(pathname)) return;
  const answer = ask(request);
  event.respondWith(answer.then(({ response }) => response));
  event.waitUntil(answer.then(({ over }) => over).catch(() => undefined));
});

/** Without the request's signal, which fires when the page goes. */
async function ask(request) {
  const { url, method, headers } = request;
  const body = await request.arrayBuffer();
  const response = await fetch(url, { method, headers, body });
  if (response.body === null) return { response };
  const [shown, held] = response.body.tee();
  return { response: new Response(shown, response), over: drained(held) };
}

async function drained(stream) {
  const reader = stream.getReader();
  while (!(await reader.read()).done);
}
