/** The zones that were found valid. There are about 600. */
const known = new Set<string>();

/**
 * Returns true if the text is the name of an IANA time zone. Bare offsets such as `+02:00` have no daylight saving, so
 * they are refused.
 */
export function isTimeZone(zone: string): boolean {
  if (known.has(zone)) return true;
  if (!/^[A-Za-z]/.test(zone)) return false;
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone });
  } catch {
    return false;
  }
  known.add(zone);
  return true;
}
