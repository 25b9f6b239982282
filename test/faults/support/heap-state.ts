import { getHeapSnapshot } from 'node:v8';

interface Snapshot {
  snapshot: {
    meta: { node_fields: string[]; node_types: [string[], ...unknown[]] };
  };
  nodes: number[];
  strings: string[];
}

/** What is in memory when the garbage is collected. */
export interface HeapState {
  /** How many objects of each class, and closures of each function. */
  counts: Record<string, number>;
  /** How many bytes the application's objects, functions and texts have. */
  size: number;
}

/** What the engine has for itself: code is compiled again, and tables double now and then. */
const OF_ENGINE = ['code', 'hidden', 'object shape', 'array'];

/** The memory of this process. */
export async function heapState(): Promise<HeapState> {
  let text = '';
  const stream = getHeapSnapshot().setEncoding('utf8');
  for await (const part of stream) text += part as string;
  const { snapshot, nodes, strings } = JSON.parse(text) as Snapshot;
  const { node_fields: fields, node_types } = snapshot.meta;
  const [typeAt, nameAt, sizeAt] = ['type', 'name', 'self_size'].map((field) =>
    fields.indexOf(field),
  ) as [number, number, number];
  const [types] = node_types;
  const state: HeapState = { counts: {}, size: 0 };
  for (let node = 0; node < nodes.length; node += fields.length) {
    const type = types[nodes[node + typeAt]!]!;
    if (!OF_ENGINE.includes(type)) state.size += nodes[node + sizeAt]!;
    if (type !== 'object' && type !== 'closure') continue;
    const key = `${type} ${strings[nodes[node + nameAt]!]}`;
    state.counts[key] = (state.counts[key] ?? 0) + 1;
  }
  return state;
}

/** Of what there is more in memory than before, by how much. */
export function grown(
  before: HeapState,
  after: HeapState,
  atLeast: number,
): Record<string, number> {
  return Object.fromEntries(
    Object.entries(after.counts)
      .map(([name, count]) => [name, count - (before.counts[name] ?? 0)])
      .filter(([, growth]) => (growth as number) >= atLeast),
  ) as Record<string, number>;
}
