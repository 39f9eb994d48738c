/** The limits of what follows a failed step, as a part of LIMITS. */
export const FAILURE_LIMITS = {
  /** decisions, Connectors: retries of one step. */
  maxRetries: 5,
  /** The pause before the first retry, unless the step sets another one. */
  retryWaitSeconds: 1,
  /** The longest pause before a retry: a run has 300 s, and five retries should fit. */
  retryWaitSecondsMax: 60,
  /** decisions, Connectors: a longer window of a rate limit counts as this. No run waits that long. */
  rateLimitResetMs: 86_400_000,
  /**
   * decisions, Connectors: a longer wait that a service or code asks for counts as this. The longest windows of quotas are
   * months.
   */
  retryAfterMs: 31 * 86_400_000,
  /**
   * decisions, Connectors: what is kept of a service's answer to a failed request. Error descriptions have 1 or 2 KiB; more
   * is a page for people, or the data itself.
   */
  errorBodyBytes: 8_192,
} as const;
