/** The `fetch` of `@ag-ui/client`'s `HttpAgent`. */
export type AgentFetch = (url: string, init: RequestInit) => Promise<Response>;

type Reader = ReadableStreamDefaultReader;

/**
 * The same `fetch`, whose answers may break off. `HttpAgent` gives up a broken body once more, and leaves
 * the failure of that unhandled, which ends the process; what it reads fails all the same.
 */
export function steadyFetch(fetch: AgentFetch): AgentFetch {
  return async (url, init) => {
    const response = await fetch(url, init);
    if (response.body !== null) makeSteady(response.body);
    return response;
  };
}

function makeSteady(body: ReadableStream): void {
  const getReader = body.getReader.bind(body) as () => Reader;
  body.getReader = (() => {
    const reader = getReader();
    const cancel = reader.cancel.bind(reader);
    reader.cancel = (reason) => cancel(reason).catch(() => undefined);
    return reader;
  }) as ReadableStream['getReader'];
}
