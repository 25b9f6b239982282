const query = new URLSearchParams(location.search);

/** What the page's address says: where the runtime is, which agent and which thread are meant, and how it is spoken to. */
export const address = {
  runtimeUrl: query.get('runtime') ?? '/api/copilotkit',
  agentId: query.get('agent') ?? 'default',
  threadId: query.get('thread') ?? undefined,
  useSingleEndpoint: query.has('single'),
};
