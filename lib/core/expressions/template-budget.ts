import { LIMITS } from "#lib/contract/limits";
import { StepError } from "#lib/contract/run/step-error";
import { toText } from "#lib/core/expressions/to-text";
import type { UnresolvedPath } from "#lib/core/expressions/unresolved-path";
import { exceedsJsonDepth, leastJsonBytes } from "#lib/support/json";

const COUNTED_DEPTH = 1_000;

/** What a step can still spend on its templates. */
export interface TemplateBudget {
  /** Characters that are written or read: `{{a}}{{a}}...` must not repeat a large value without limit. */
  characters: number;
  expressions: number;
  /** The paths that led nowhere, which become the step's warnings. */
  unresolved: UnresolvedPath[];
}

/** @param unresolved the list that the paths that lead nowhere are added to */
export function templateBudget(unresolved: UnresolvedPath[] = []): TemplateBudget {
  return { characters: LIMITS.runOutputBytes, expressions: LIMITS.expressions, unresolved };
}

/** @throws StepError VALIDATION_ERROR if the texts of the step exceed 10 MiB together */
export function spendCharacters(budget: TemplateBudget, count: number): void {
  budget.characters -= count;
  if (budget.characters >= 0) return;
  const megabytes = LIMITS.runOutputBytes / 1_048_576;
  throw new StepError("data_too_large", `The resolved texts of this step exceed ${megabytes} MiB.`);
}

/**
 * Converts a value to text at the cost of its characters. An object is counted before it is serialized, because the
 * result may not fit.
 */
export function writeText(value: unknown, budget: TemplateBudget): string {
  // Serializing reports what is nested even deeper.
  const isCountable = typeof value === "object" && value !== null && !exceedsJsonDepth(value, COUNTED_DEPTH);
  if (isCountable) {
    const least = leastJsonBytes(value, budget.characters);
    if (least > budget.characters) spendCharacters(budget, least);
  }
  const text = toText(value);
  spendCharacters(budget, text.length);
  return text;
}
