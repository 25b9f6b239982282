/** An agent as `GET /agui/agents` tells of it. */
export interface ListedAgent {
  id: string;
}

/** What the page knows of its server. */
export interface Sample {
  agents: ListedAgent[];
  /** Null if a stand-in answers in place of a model. */
  model: string | null;
}

export async function loadSample(): Promise<Sample> {
  const [agents, { model }] = await Promise.all([
    read<ListedAgent[]>('/agui/agents'),
    read<{ model: string | null }>('/sample.json'),
  ]);
  return { agents, model };
}

async function read<T>(path: string): Promise<T> {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`${path} answers ${response.status}.`);
  return (await response.json()) as T;
}
