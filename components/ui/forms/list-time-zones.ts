import { formatOffset } from "#lib/support/format/format-offset";

export interface TimeZone {
  /** Its name in the IANA database. */
  value: string;
  label: string;
  /** The difference to UTC at the given time, such as "UTC+01:00"; empty if this browser doesn't know the zone. */
  offset: string;
}

/** Returns every time zone there is, UTC and the given ones first. */
export function listTimeZones(atMs: number, ...first: readonly string[]): TimeZone[] {
  const zones = new Set([...first, "UTC", ...Intl.supportedValuesOf("timeZone")]);
  return [...zones].map((value) => describeTimeZone(value, atMs));
}

export function describeTimeZone(value: string, atMs: number): TimeZone {
  return { value, label: value.replaceAll("_", " "), offset: formatOffset(value, atMs) };
}

/** Returns the zones that contain each typed word, such as "york", "+1" or "UTC+01:00". */
export function searchTimeZones(zones: readonly TimeZone[], query: string): TimeZone[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return zones.filter(({ label, offset }) => {
    // "UTC+01:00" is also "+1" and "GMT+1", and "UTC+05:30" is also "+5:30".
    const short = offset.replace(/([+-])0/, "$1").replace(":00", "");
    const text = `${label} ${offset} ${short} ${short.replace("UTC", "GMT")}`.toLowerCase();
    return words.every((word) => (/^[+-]\d/.test(word) ? text.includes(`utc${word}`) : text.includes(word)));
  });
}
