import type { JsonObject } from "#lib/contract/json-schema";

/** An alert in words: "5 runs failed in a row". @param data of an alert event */
export function describeAlert({ kind, threshold, value, window_minutes: minutes }: JsonObject): string {
  const measured = Math.round(Number(value) * 10) / 10;
  switch (kind) {
    case "failures_in_a_row":
      return `${String(threshold)} runs failed in a row`;
    case "error_rate":
      return `${measured} % of the runs of ${String(minutes)} minutes failed (limit ${String(threshold)} %)`;
    default:
      return `95 % of the runs of ${String(minutes)} minutes took up to ${measured} ms (limit ${String(threshold)} ms)`;
  }
}
