/** What anything weighs besides its text, in bytes. */
const FRAME = 16;

/** About how many bytes a value takes; what it has in several places, or in circles, counts once. */
export function weightOf(value: unknown): number {
  let weight = 0;
  const rest: unknown[] = [value];
  const seen = new Set<object>();
  while (rest.length > 0) {
    const one = rest.pop();
    weight += FRAME;
    if (typeof one === 'string') weight += one.length;
    if (typeof one !== 'object' || one === null || seen.has(one)) continue;
    seen.add(one);
    for (const name in one) rest.push((one as Record<string, unknown>)[name]);
  }
  return weight;
}
