import { formatNumber, NO_VALUE } from "#lib/support/format/format-number";
import { currentReader, type Reader } from "#lib/support/format/reader";

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/**
 * Formats "4 ms", "1.2 s", "48 s", "3 min 20 s", "1 h 15 min", "3 d 4 h". It rounds down, so that no duration appears
 * to reach a limit it did not reach. A negative duration comes from two clocks that disagree and is shown as zero.
 */
export function formatDuration(ms: number | null, reader: Reader = currentReader()): string {
  if (ms === null || !Number.isFinite(ms)) return NO_VALUE;
  const rounded = Math.max(0, Math.round(ms));
  const whole = (value: number, unit: string) => `${formatNumber(Math.floor(value), {}, reader)} ${unit}`;
  if (rounded < SECOND_MS) return whole(rounded, "ms");
  if (rounded < 10 * SECOND_MS) {
    const min = rounded % SECOND_MS === 0 ? 0 : 1;
    return `${formatNumber(Math.floor(rounded / 100) / 10, { min, max: 1 }, reader)} s`;
  }
  if (rounded < MINUTE_MS) return whole(rounded / SECOND_MS, "s");
  const [unit, unitMs, smaller, smallerMs] = unitsOf(rounded);
  const rest = Math.floor((rounded % unitMs) / smallerMs);
  return rest === 0 ? whole(rounded / unitMs, unit) : `${whole(rounded / unitMs, unit)} ${whole(rest, smaller)}`;
}

/** Formats a mark on an axis, "3 min 20.005 s", with the precision that marks `stepMs` apart need. */
export function formatMark(atMs: number, stepMs: number, reader: Reader = currentReader()): string {
  if (atMs === 0) return "0";
  if (atMs < SECOND_MS || stepMs >= SECOND_MS) return formatDuration(atMs, reader);
  const digits = stepMs < 10 ? 3 : stepMs < 100 ? 2 : 1;
  const seconds = `${formatNumber((atMs % MINUTE_MS) / SECOND_MS, { min: digits, max: digits }, reader)} s`;
  return atMs < MINUTE_MS ? seconds : `${formatNumber(Math.floor(atMs / MINUTE_MS), {}, reader)} min ${seconds}`;
}

/** Formats the time left until a deadline as "4:05". It shows each second until that second is over. */
export function formatTimer(leftMs: number): string {
  const left = Math.max(0, Math.ceil(leftMs / SECOND_MS));
  return `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
}

function unitsOf(ms: number): readonly [string, number, string, number] {
  if (ms < HOUR_MS) return ["min", MINUTE_MS, "s", SECOND_MS];
  // Shows two days as "48 h", because people set such limits in hours.
  return ms <= 2 * DAY_MS ? ["h", HOUR_MS, "min", MINUTE_MS] : ["d", DAY_MS, "h", HOUR_MS];
}
