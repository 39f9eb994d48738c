/** The limits of circuit breakers. */
export const BREAKER_LIMITS = {
  /** contract, Limits: circuit breaker. */
  breakerFailures: 5,
  breakerWindowMs: 300_000,
  /** decisions, Connectors: how long an open breaker refuses calls before it admits a probe. */
  breakerOpenMs: 60_000,
  /** decisions, Connectors: templates can lead to any number of hosts, so a breaker without a call is forgotten. */
  breakerForgottenMs: 3_600_000,
  circuitsListed: 100,
} as const;
