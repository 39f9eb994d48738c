/** The background tasks and what each job carries. */
export interface JobPayloads {
  /** Executes or continues one run. Everything else stands in its row. */
  execute_run: { run_id: string };
}
export type JobName = keyof JobPayloads;

/** One job per run at a time: the key lets a cancel or the sweeper find it. */
export function runJobKey(runId: string): string {
  return `run:${runId}`;
}
