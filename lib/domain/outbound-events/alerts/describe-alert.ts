import type { JsonObject } from "#lib/contract/json-schema";
import { formatDuration } from "#lib/support/format/format-duration";
import { formatCount, formatPercent } from "#lib/support/format/format-number";

/**
 * Describes an alert: "5 runs failed in a row".
 * @param data of an alert event
 */
export function describeAlert({ kind, threshold, value, window_minutes: minutes }: JsonObject): string {
  const window = formatDuration(Number(minutes) * 60_000);
  const percent = (hundredths: unknown) => formatPercent(Number(hundredths) / 100);
  const duration = (ms: unknown) => formatDuration(Number(ms));
  switch (kind) {
    case "failures_in_a_row":
      return `${formatCount(Number(threshold), "run")} failed in a row`;
    case "error_rate":
      return `${percent(value)} of the runs in ${window} failed (limit ${percent(threshold)})`;
    default:
      return `${percent(95)} of the runs in ${window} lasted up to ${duration(value)} (limit ${duration(threshold)})`;
  }
}
