/** The background tasks and what each job carries. */
export interface JobPayloads {
  /** Executes or continues one run. Everything else stands in its row. */
  execute_run: { run_id: string };
}
export type JobName = keyof JobPayloads;

/** How a run is queued, wherever that happens. A job outlives its workers: recovery is the run's own, not the queue's. */
export const RUN_JOB = { identifier: "execute_run", max_attempts: 50 } as const satisfies {
  identifier: JobName;
  max_attempts: number;
};

/** One job per run at a time: the key lets a cancel or the sweeper find it. */
export function runJobKey(runId: string): string {
  return `run:${runId}`;
}
