/** A length of time: milliseconds, or a number with `ms`, `s`, `m` or `h`, such as `10m`. */
export type Duration = number | string;

const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
};

/** Milliseconds, or undefined if it is no duration. */
export function parseDuration(value: unknown): number | undefined {
  if (typeof value === 'number')
    return Number.isFinite(value) && value >= 0 ? value : undefined;
  if (typeof value !== 'string') return undefined;
  const match = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h)?$/.exec(value.trim());
  if (match === null) return undefined;
  return Number(match[1]) * UNITS[match[2] ?? 'ms']!;
}
