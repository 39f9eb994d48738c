/** Limits of the processes that do jobs. Durations are milliseconds. */
export const COMPUTE = {
  /** Per process: jobs are rare, and each child takes about 80 MB. */
  sharedChildren: 1,
  /** A workspace whose first job finds the child busy gets this one. */
  reservedChildren: 1,
  /** A job needs at most 100 MB: a text of 1 MiB, 8,000 pattern instructions and their matcher. */
  childHeapMegabytes: 256,
  /**
   * On the clock. A job that gets its CPU time ends long before; on a busy machine this leaves a step time to fail for
   * the right reason, and a client time to hear of it.
   */
  jobTimeoutMs: 25_000,
  jobsPerChild: 10_000,
  killMs: 500,
} as const;
