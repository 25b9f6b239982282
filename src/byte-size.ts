/** A number of bytes, or a number with `b`, `kb`, `mb` or `gb` (powers of 1024), such as `10mb`. */
export type ByteSize = number | string;

const UNITS: Readonly<Record<string, number>> = {
  b: 1,
  kb: 1024,
  mb: 1024 ** 2,
  gb: 1024 ** 3,
};

/** Bytes, or undefined if it is no size. */
export function parseByteSize(value: unknown): number | undefined {
  if (typeof value === 'number')
    return Number.isSafeInteger(value) && value > 0 ? value : undefined;
  if (typeof value !== 'string') return undefined;
  const match = /^(\d+(?:\.\d+)?)\s*(b|kb|mb|gb)?$/i.exec(value.trim());
  if (match === null) return undefined;
  const bytes = Number(match[1]) * UNITS[(match[2] ?? 'b').toLowerCase()]!;
  return bytes >= 1 ? Math.floor(bytes) : undefined;
}
