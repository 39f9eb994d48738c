import { readWrittenDate } from "#lib/core/schedules/read-written-date";
import { firstMomentOf } from "#lib/core/schedules/wall-time";

/**
 * Reads a time in ISO 8601. One without an offset is a local time in the zone: if it occurs twice (the clock was set
 * back), the first one counts; if it does not exist (the clock was set forward), the first moment after the gap. A date
 * alone is its first moment.
 * @returns ms since 1970; null if it is not such a time
 */
export function readMoment(text: string, zone: string): number | null {
  const written = readWrittenDate(text.trim());
  if (written === null) return null;
  const { wallMs, aheadMs } = written;
  return aheadMs === null ? firstMomentOf(zone, wallMs) : wallMs - aheadMs;
}
