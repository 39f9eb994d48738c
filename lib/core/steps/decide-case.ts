import { LIMITS } from "#lib/contract/limits";
import type { StepContext } from "#lib/core/engine/plan";
import { findCase, type RuleCase } from "#lib/core/expressions/find-case";

/**
 * Returns the position of the first case whose rules hold, or -1. Patterns and texts that would block the other runs of
 * this process are matched in a process of their own, with the budget of a whole step.
 * @throws StepError
 */
export function decideCase(
  cases: readonly RuleCase[],
  { services, signal }: Pick<StepContext, "services" | "signal">,
): number | Promise<number> {
  const inline = { work: LIMITS.patternInlineWork };
  try {
    return findCase(cases, inline);
  } catch (error) {
    if (inline.work >= 0) throw error;
    return services.compute.findCase(cases, signal);
  }
}
