import type { RunStatus } from "#lib/contract/run/run";

/** The word for every run status. Filters need no more; the icons are in `status.ts`. */
export const RUN_STATUS_WORDS: Record<RunStatus, string> = {
  accepted: "Queued",
  running: "Running",
  waiting_for_approval: "Waiting for approval",
  succeeded: "Succeeded",
  failed: "Failed",
  cancelled: "Cancelled",
  timed_out: "Timed out",
};
