import { notifyEndedRuns } from "#lib/domain/runs/notify/notify-ended-runs";
import { type ChangedRun, notifyRuns } from "#lib/domain/runs/notify/notify-runs";
import { countRepairs } from "#lib/domain/runs/recover/count-repairs";

/** What the loss of workers did to runs. */
export interface DeclaredDead {
  /** Runs that continue on other workers. */
  resumed: LostRun[];
  /** Runs that failed. */
  failed: LostRun[];
  /** The sub-runs that ended with them. Other workers may be executing these. */
  cancelled: ChangedRun[];
}

interface LostRun extends ChangedRun {
  /** Losses of a worker in a row without progress, this one included. */
  stalled: number;
}

/** Counts the runs that lost their worker, and notifies pages and workers. Called after the commit. */
export async function announceLosses({ resumed, failed, cancelled }: DeclaredDead): Promise<void> {
  countRepairs("resumed", resumed.length);
  countRepairs("given_up", failed.length);
  await notifyEndedRuns([...failed, ...cancelled]);
  await notifyRuns(resumed);
}
