import { count } from "#lib/platform/metrics/counters";

const REPAIRS = ["resumed", "given_up", "requeued", "timed_out", "approval_expired"] as const;
type Repair = (typeof REPAIRS)[number];

/** Counts runs that were repaired or ended from outside their worker. */
export function countRepairs(action: Repair, times: number): void {
  if (times > 0) count("signalbox_sweeper_actions_total", { action }, times);
}

/** Writes each count as 0 if it has no value: Prometheus sees no increase in a series that starts at 1. */
export function introduceRepairs(): void {
  for (const action of REPAIRS) count("signalbox_sweeper_actions_total", { action }, 0);
}
