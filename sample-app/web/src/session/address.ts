/** What the page shows, as its address says it: `#/agent/thread`. */
export interface Address {
  agentId?: string;
  threadId?: string;
}

export function readAddress(): Address {
  const [, agentId, threadId] = location.hash
    .split('/')
    .map(decodeURIComponent);
  return { agentId: agentId || undefined, threadId: threadId || undefined };
}

/** Keeps what is shown in the address, where a reload or another tab finds it. */
export function writeAddress({ agentId, threadId }: Address): void {
  const path = [agentId, threadId].filter((part) => part !== undefined);
  history.replaceState(null, '', `#/${path.map(encodeURIComponent).join('/')}`);
}
