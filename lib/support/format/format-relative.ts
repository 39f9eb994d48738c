import { currentReader, type Reader } from "#lib/support/format/reader";

const WEEK_MS = 604_800_000;
const UNITS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ["year", 31_536_000_000],
  ["month", 2_592_000_000],
  ["week", WEEK_MS],
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
];
const formats = new Map<string, Intl.RelativeTimeFormat>();

/** Formats "just now", "3 min. ago", "in 2 days". Both times are epoch milliseconds. */
export function formatRelative(atMs: number, nowMs: number, { locale }: Reader = currentReader()): string {
  const distanceMs = atMs - nowMs;
  const unit = UNITS.find(([, lengthMs]) => Math.abs(distanceMs) >= lengthMs);
  if (unit === undefined) return distanceMs > 1_000 ? "in under a minute" : "just now";
  const [name, lengthMs] = unit;
  const count = distanceMs / lengthMs;
  // Uses "yesterday" because it is clear, but not "last mo.", which says less than "1 mo. ago".
  return lengthMs >= WEEK_MS
    ? formatOf(locale, "always").format(Math.round(count), name)
    : formatOf(locale, "auto").format(Math.trunc(count), name);
}

function formatOf(locale: string, numeric: "always" | "auto"): Intl.RelativeTimeFormat {
  const key = `${locale} ${numeric}`;
  const format = formats.get(key) ?? new Intl.RelativeTimeFormat(locale, { numeric, style: "short" });
  formats.set(key, format);
  return format;
}
