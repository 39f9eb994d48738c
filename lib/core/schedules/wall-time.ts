/**
 * Time as the clock on a wall in some zone shows it: the milliseconds that UTC would count for the same digits. Zones
 * jump, so one wall time is no moment (spring), one, or two (autumn).
 */
type WallMs = number;

const DAY_MS = 86_400_000;
const formats = new Map<string, Intl.DateTimeFormat>();
const MAX_FORMATS = 500;

/** @throws RangeError for a zone that is not IANA's */
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

/** Whether the text names a zone of the IANA database. Bare offsets such as `+02:00` know no summer, and are none. */
export function isTimeZone(zone: string): boolean {
  if (!/^[A-Za-z]/.test(zone)) return false;
  try {
    return formatOf(zone) !== undefined;
  } catch {
    return false;
  }
}

/** What the wall's clock shows at a moment, to the second. */
export function wallTimeAt(zone: string, instantMs: number): WallMs {
  return instantMs + offsetAt(zone, instantMs);
}

/** How far the zone is ahead of UTC at a moment, ms. */
export function offsetAt(zone: string, instantMs: number): number {
  const second = Math.floor(instantMs / 1_000) * 1_000;
  const parts: Record<string, number> = {};
  for (const { type, value } of formatOf(zone).formatToParts(second)) parts[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, parts.second ?? 0) - second;
}

/**
 * The moment of a wall time. Of two (the clock was set back) it is the first; where there is none (it was set forward),
 * it is the moment of the jump, the first after the gap.
 */
export function firstMomentOf(zone: string, wall: WallMs): number {
  // No zone is a day away from UTC: the jump that matters, if any, lies between these two.
  const [before, after] = [offsetAt(zone, wall - DAY_MS), offsetAt(zone, wall + DAY_MS)];
  if (before === after) return wall - before;
  const moments = [before, after]
    .map((offset) => ({ moment: wall - offset, offset }))
    .filter(({ moment, offset }) => offsetAt(zone, moment) === offset)
    .map(({ moment }) => moment);
  return moments.length > 0 ? Math.min(...moments) : jumpBetween(zone, wall - DAY_MS, wall + DAY_MS);
}

/** The first moment at which the zone's offset is no longer what it is at `fromMs`, found to the second. */
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
