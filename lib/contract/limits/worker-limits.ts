/** The limits of one worker process, as a part of LIMITS. */
export const WORKER_LIMITS = {
  /** decisions, Runs: how many runs one worker executes at once, unless WORKER_CONCURRENCY says otherwise. */
  runsPerWorker: 200,
  /** decisions, Runs: how many of them may use the worker's process at once; the others wait. */
  workingRunsPerWorker: 10,
  /** decisions, Runs: the average delay of a worker's event loop at which it takes fewer runs, and more again. */
  workerLateMs: 50,
  workerPunctualMs: 20,
  /** decisions, Runs: a larger response, of up to 10 MiB, is read in turns; the reserved ones are a workspace's first. */
  largeResponseBytes: 262_144,
  largeResponses: 8,
  largeResponsesPerWorkspace: 4,
  largeResponsesReserved: 8,
  /** decisions, Runs: a worker that uses more memory takes only runs of workspaces that have none in flight. */
  workerMemoryBytes: 314_572_800,
  /** decisions, Runs: a worker that uses more memory takes no runs. It has room for the 10 MiB of some 15 newcomers. */
  workerMemoryMaxBytes: 471_859_200,
} as const;
