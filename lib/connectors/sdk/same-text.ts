import { timingSafeEqual } from "node:crypto";

/** Compares two texts in constant time, so that timing does not reveal where they differ. */
export function isSameText(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
