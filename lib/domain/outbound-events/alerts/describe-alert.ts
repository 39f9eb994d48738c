import type { JsonObject } from "#lib/contract/wire/json-schema";
import { formatDuration } from "#lib/support/format/format-duration";
import { formatCount, formatPercent } from "#lib/support/format/format-number";

const percent = (hundredths: unknown) => formatPercent(Number(hundredths) / 100);
const duration = (ms: unknown) => formatDuration(Number(ms));
const windowOf = ({ window_minutes: minutes }: JsonObject) => formatDuration(Number(minutes) * 60_000);

/**
 * Describes an alert that fired: "5 runs failed in a row".
 * @param data of an event `alert.fired`
 */
export function describeAlert(data: JsonObject): string {
  const { kind, threshold, value } = data;
  const window = windowOf(data);
  switch (kind) {
    case "failures_in_a_row":
      return `${formatCount(Number(threshold), "run")} failed in a row`;
    case "error_rate":
      return `${percent(value)} of the runs in ${window} failed (limit ${percent(threshold)})`;
    default:
      return `${percent(95)} of the successful runs in ${window} lasted up to ${duration(value)} (limit ${duration(threshold)})`;
  }
}

/**
 * Describes an alert that recovered: "there are no longer 5 failures in a row". It contains no measured value, because
 * an alert also recovers when the window has no runs.
 * @param data of an event `alert.recovered`
 */
export function describeRecovery(data: JsonObject): string {
  const { kind, threshold } = data;
  const window = windowOf(data);
  switch (kind) {
    case "failures_in_a_row":
      return threshold === 1
        ? "the last run did not fail"
        : `there are no longer ${formatCount(Number(threshold), "failure")} in a row`;
    case "error_rate":
      return `the share of failed runs in ${window} is no longer ${percent(threshold)} or more`;
    default:
      return `the 95th percentile of the duration of successful runs in ${window} is no longer above ${duration(threshold)}`;
  }
}
