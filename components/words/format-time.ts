const WEEK_MS = 604_800_000;
const UNITS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ["year", 31_536_000_000],
  ["month", 2_592_000_000],
  ["week", WEEK_MS],
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
];

const counted = new Intl.RelativeTimeFormat("en", { style: "short" });
/** "yesterday"; but "last mo." would say less than "1 mo. ago". */
const named = new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "short" });

/** "just now", "3 min. ago", "in 2 days". Both are epoch milliseconds. */
export function describeSince(atMs: number, nowMs: number): string {
  const distanceMs = atMs - nowMs;
  const unit = UNITS.find(([, lengthMs]) => Math.abs(distanceMs) >= lengthMs);
  if (unit === undefined) return distanceMs > 1_000 ? "in under a minute" : "just now";
  const [name, lengthMs] = unit;
  const isLong = lengthMs >= WEEK_MS;
  const count = distanceMs / lengthMs;
  return (isLong ? counted : named).format(isLong ? Math.round(count) : Math.trunc(count), name);
}

/** "21 Nov 2026, 08:21:37 UTC+3": a moment in full, in the viewer's zone. */
export function describeInstant(iso: string): string {
  return new Intl.DateTimeFormat("en-GB", {
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    timeZoneName: "short",
  }).format(new Date(iso));
}

/** "18:04:05" of today, in the viewer's zone. */
export function describeClock(iso: string): string {
  return new Date(iso).toLocaleTimeString("en-GB", { timeStyle: "medium" });
}

/** "4 ms", "1.2 s", "48 s", "3 min 20 s". */
export function describeDuration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 10_000) return `${(Math.floor(ms / 100) / 10).toFixed(1)} s`;
  if (ms < 60_000) return `${Math.floor(ms / 1_000)} s`;
  const minutes = Math.floor(ms / 60_000);
  const seconds = Math.floor((ms % 60_000) / 1_000);
  if (minutes < 60) return seconds === 0 ? `${minutes} min` : `${minutes} min ${seconds} s`;
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** A moment as a `datetime-local` field holds it: to the minute, in the viewer's zone. */
export function toLocalInput(iso: string): string {
  const at = new Date(iso);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
