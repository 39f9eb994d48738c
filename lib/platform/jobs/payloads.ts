/** The background tasks and what each job carries. */
export interface JobPayloads {
  /** Executes or continues one run. Everything else stands in its row. */
  execute_run: { run_id: string };
  /** The same for a run that seems to end its worker: only the quarantine worker, apart and one at a time, knows it. */
  execute_suspect_run: { run_id: string };
  /** Builds one custom connector. */
  build_connector: { build_id: string };
}
export type JobName = keyof JobPayloads;

/** How a run is queued, wherever that happens. A job outlives its workers: recovery is the run's own, not the queue's. */
export const RUN_JOB = { identifier: "execute_run", max_attempts: 50 } as const satisfies {
  identifier: JobName;
  max_attempts: number;
};

export const SUSPECT_RUN_JOB = { identifier: "execute_suspect_run" } as const satisfies { identifier: JobName };

export const BUILD_JOB = { identifier: "build_connector", max_attempts: 5 } as const satisfies {
  identifier: JobName;
  max_attempts: number;
};

/** Losses of a worker in a row without progress that make a run suspect (decisions, Runs: quarantine). */
export const SUSPECT_STALLED = 2;

/** One job per run at a time: the key lets a cancel or the sweeper find it. */
export function runJobKey(runId: string): string {
  return `run:${runId}`;
}
