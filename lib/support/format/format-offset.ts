/**
 * Formats the difference of a time zone to UTC at a time, such as "UTC+01:00".
 * @param timeZone a name in the IANA database
 * @returns an empty text for a zone that this browser or process doesn't know
 */
export function formatOffset(timeZone: string, atMs: number): string {
  try {
    const format = new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" });
    const name = format.formatToParts(atMs).find(({ type }) => type === "timeZoneName")?.value ?? "";
    return name === "GMT" ? "UTC+00:00" : name.replace("GMT", "UTC");
  } catch {
    return "";
  }
}
