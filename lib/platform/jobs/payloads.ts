/** The background tasks and the payload of each job. */
export interface JobPayloads {
  /** Executes or continues one run. Everything else is in the run's row. */
  execute_run: { run_id: string };
  /** The same for a run that seems to end its worker: only the quarantine worker takes it, one at a time. */
  execute_suspect_run: { run_id: string };
  /** Builds one custom connector. */
  build_connector: { build_id: string };
}
export type JobName = keyof JobPayloads;

/** How every job of a run is queued. A job outlives its workers: the run handles recovery, not the queue. */
export const RUN_JOB = { identifier: "execute_run", max_attempts: 50 } as const satisfies {
  identifier: JobName;
  max_attempts: number;
};

export const SUSPECT_RUN_JOB = { identifier: "execute_suspect_run" } as const satisfies { identifier: JobName };

export const BUILD_JOB = { identifier: "build_connector", max_attempts: 5 } as const satisfies {
  identifier: JobName;
  max_attempts: number;
};

/** After this many losses of a worker in a row without progress a run is suspect (decisions, Runs: quarantine). */
export const SUSPECT_STALLED = 2;

/** One job per run at a time: the key lets a cancel or the sweeper find it. */
export function runJobKey(runId: string): string {
  return `run:${runId}`;
}
