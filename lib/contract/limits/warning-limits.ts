/** The limits of what a run reports about itself, as a part of LIMITS. */
export const WARNING_LIMITS = {
  /**
   * decisions, Run steps: warnings of a step, and of a run. 20 take at most 20 KB of the run's answer. The same mistake in
   * every iteration of a loop is one of them.
   */
  stepWarnings: 10,
  runWarnings: 20,
  /** decisions, Run steps: one text of a warning. It names up to 20 fields. */
  warningCharacters: 200,
} as const;
