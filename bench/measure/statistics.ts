/** Returns the middle value, or the mean of the two middle values of an even number of values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  const upper = sorted[half] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? Number.NaN) + upper) / 2;
}

/** Returns the smallest value that at least `share` of the values do not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

/**
 * Returns the median of values that were rounded to whole numbers, refined by the position of the middle within its
 * class. Without this, times that PostgreSQL stores in milliseconds would jump by a whole millisecond.
 */
export function groupedMedian(rounded: readonly number[]): number {
  const middle = percentile(rounded, 0.5);
  const below = rounded.filter((value) => value < middle).length;
  const within = rounded.filter((value) => value === middle).length;
  return middle - 0.5 + (rounded.length / 2 - below) / within;
}
