// What a CPU profile says, as text: node bench/profile.mjs some.cpuprofile [lines]
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** The functions with the most self time. */
export function hottest({ nodes, samples, timeDeltas }, lines = 25) {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const self = new Map();
  let total = 0;
  samples.forEach((id, index) => {
    const name = nameOf(byId.get(id));
    // Waiting, and the profiler itself.
    if (name === '(idle)' || name === 'dispatch') return;
    self.set(name, (self.get(name) ?? 0) + timeDeltas[index]);
    total += timeDeltas[index];
  });
  return [...self]
    .sort(([, a], [, b]) => b - a)
    .slice(0, lines)
    .map(
      ([name, time]) =>
        `${((time / total) * 100).toFixed(1).padStart(6)} %  ${name}`,
    )
    .join('\n');
}

function nameOf({ callFrame: { functionName, url, lineNumber } }) {
  const name = functionName || '(anonymous)';
  if (url === '') return name;
  const file = url.replace('file://', '').replace(ROOT, '');
  return `${name} ${file.replace(/^.*node_modules\//, '')}:${lineNumber + 1}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [file, lines] = process.argv.slice(2);
  const profile = JSON.parse(readFileSync(file, 'utf8'));
  console.log(hottest(profile, lines && Number(lines)));
}
