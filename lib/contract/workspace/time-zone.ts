/** The names that were found valid. There are about 600, but each can be spelled in many ways: case does not count. */
const known = new Set<string>();
const MAX_KNOWN = 1_000;

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
  if (known.size >= MAX_KNOWN) known.clear();
  known.add(zone);
  return true;
}
