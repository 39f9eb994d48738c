/** The limits of code steps, as a part of LIMITS. The sandbox reads them too, so nothing is imported. */
export const CODE_LIMITS = {
  /**
   * decisions, Runs: CPU time of one call of user code. 1 MiB of JSON takes milliseconds; a third of the step's time is
   * enough for real work, and ends an endless loop while the step could still be retried.
   */
  codeCpuMs: 10_000,
  /** decisions, Runs: what may wait for the sandbox, per workspace and worker. */
  codeQueuedCalls: 500,
  codeQueuedBytes: 33_554_432,
  /** decisions, Run steps: lines of one attempt of a code step. A person reads no more, and an agent pays for each. */
  consoleLines: 200,
  /** decisions, Run steps: characters of one line. */
  consoleLineCharacters: 2_000,
  /** decisions, Run steps: the lines of one attempt together, as JSON. Half of what a payload may show. */
  consoleBytes: 32_768,
  /**
   * decisions, Run steps: the consoles of all steps of a run together, as JSON. A loop over 1,000 items can write 1 KB for
   * each of them. They count toward no other limit, so that logging never fails a run.
   */
  runConsoleBytes: 1_048_576,
} as const;
