/** Every zone there is, as options of a choice; UTC and the given ones first. */
export function listTimeZones(...first: readonly string[]): { value: string; label: string }[] {
  const zones = new Set(["UTC", ...first, ...Intl.supportedValuesOf("timeZone")]);
  return [...zones].map((value) => ({ value, label: value.replaceAll("_", " ") }));
}
