/** What anything weighs besides its text, in bytes. */
const FRAME = 16;

/** About how many bytes a JSON value takes. */
export function weightOf(value: unknown): number {
  let weight = 0;
  const rest: unknown[] = [value];
  while (rest.length > 0) {
    const one = rest.pop();
    weight += FRAME;
    if (typeof one === 'string') weight += one.length;
    else if (typeof one === 'object' && one !== null)
      for (const name in one) rest.push((one as Record<string, unknown>)[name]);
  }
  return weight;
}
