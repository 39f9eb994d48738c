import type { LabelsOf } from "#lib/platform/metrics/counter-families";
import { count } from "#lib/platform/metrics/counters";

/** Counts runs that were repaired or ended from outside their worker. */
export function countRepairs(action: LabelsOf<"signalbox_sweeper_actions_total">["action"], times: number): void {
  if (times > 0) count("signalbox_sweeper_actions_total", { action }, times);
}
