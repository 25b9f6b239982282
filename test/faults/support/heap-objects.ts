import { getHeapSnapshot } from 'node:v8';

interface Snapshot {
  snapshot: {
    meta: { node_fields: string[]; node_types: [string[], ...unknown[]] };
  };
  nodes: number[];
  strings: string[];
}

/** How many objects of each class, and closures of each function, are in memory. */
export async function heapObjects(): Promise<Record<string, number>> {
  let text = '';
  const stream = getHeapSnapshot().setEncoding('utf8');
  for await (const part of stream) text += part as string;
  const { snapshot, nodes, strings } = JSON.parse(text) as Snapshot;
  const { node_fields: fields, node_types } = snapshot.meta;
  const [type, name] = [fields.indexOf('type'), fields.indexOf('name')];
  const [types] = node_types;
  const counts: Record<string, number> = {};
  for (let node = 0; node < nodes.length; node += fields.length) {
    const kind = types[nodes[node + type]!]!;
    if (kind !== 'object' && kind !== 'closure') continue;
    const key = `${kind} ${strings[nodes[node + name]!]}`;
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}

/** Of what there is more in memory than before, by how much. */
export function grown(
  before: Record<string, number>,
  after: Record<string, number>,
  atLeast: number,
): Record<string, number> {
  return Object.fromEntries(
    Object.entries(after)
      .map(([name, count]) => [name, count - (before[name] ?? 0)] as const)
      .filter(([, growth]) => growth >= atLeast),
  );
}
