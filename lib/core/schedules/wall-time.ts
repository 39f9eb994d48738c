/**
 * Local time in a zone, represented as the milliseconds that UTC would count for the same digits. Because zones jump,
 * one local time can match no moment (spring), one, or two (autumn).
 */
type WallMs = number;

const DAY_MS = 86_400_000;
const formats = new Map<string, Intl.DateTimeFormat>();
const MAX_FORMATS = 500;

/** @throws RangeError if the zone is not an IANA time zone */
function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
  const fields = { year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric" } as const;
  const format = new Intl.DateTimeFormat("en-US", {
    ...fields,
    second: "numeric",
    calendar: "gregory",
    hourCycle: "h23",
    timeZone: zone,
  });
  if (formats.size >= MAX_FORMATS) formats.clear();
  formats.set(zone, format);
  return format;
}

/** Returns the local time at a moment, to the second. */
export function wallTimeAt(zone: string, instantMs: number): WallMs {
  return instantMs + offsetAt(zone, instantMs);
}

/** Returns how far the zone is ahead of UTC at a moment, in ms. */
export function offsetAt(zone: string, instantMs: number): number {
  const second = Math.floor(instantMs / 1_000) * 1_000;
  const parts: Record<string, number> = {};
  for (const { type, value } of formatOf(zone).formatToParts(second)) parts[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, parts.second ?? 0) - second;
}

/**
 * Returns the moment of a local time. If it occurs twice (the clock was set back), the first one; if it does not exist
 * (the clock was set forward), the moment of the jump, which is the first after the gap.
 */
export function firstMomentOf(zone: string, wall: WallMs): number {
  // No zone is more than a day away from UTC, so the relevant jump, if any, lies between these two moments.
  const [before, after] = [offsetAt(zone, wall - DAY_MS), offsetAt(zone, wall + DAY_MS)];
  if (before === after) return wall - before;
  const moments = [before, after]
    .map((offset) => ({ moment: wall - offset, offset }))
    .filter(({ moment, offset }) => offsetAt(zone, moment) === offset)
    .map(({ moment }) => moment);
  return moments.length > 0 ? Math.min(...moments) : jumpBetween(zone, wall - DAY_MS, wall + DAY_MS);
}

/** Returns the first moment at which the zone's offset differs from the offset at `fromMs`, to the second. */
export function jumpBetween(zone: string, fromMs: number, toMs: number): number {
  const offset = offsetAt(zone, fromMs);
  let [low, high] = [Math.floor(fromMs / 1_000), Math.ceil(toMs / 1_000)];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(zone, middle * 1_000) === offset) low = middle;
    else high = middle;
  }
  return high * 1_000;
}
