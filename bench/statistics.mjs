// Medians and spreads.
export function quantile(values, share) {
  if (values.length === 0) return NaN;
  const sorted = Float64Array.from(values).sort();
  const at = (sorted.length - 1) * share;
  const low = Math.floor(at);
  const high = Math.ceil(at);
  return sorted[low] + (sorted[high] - sorted[low]) * (at - low);
}

export const median = (values) => quantile(values, 0.5);

/** The middle half of the values, as a share of their median: 0.1 is ±5 %. */
export const spread = (values) =>
  (quantile(values, 0.75) - quantile(values, 0.25)) / median(values);
