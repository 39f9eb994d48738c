import { RE2JS } from "re2js";
import { LIMITS } from "#lib/contract/limits";
import { StepError } from "#lib/contract/step-error";
import { patternSize } from "#lib/core/expressions/pattern-size";
import { formatNumber } from "#lib/support/format/format-number";
import { sizedCache } from "#lib/support/sized-cache";

/** What an instruction of a compiled pattern takes, with the state of its matcher. The most measured is 151. */
const INSTRUCTION_BYTES = 200;
const cache = sizedCache<string, RE2JS>(LIMITS.patternCacheBytes);

/** What a step can still spend on patterns: their size times the length of the texts. */
export interface PatternBudget {
  work: number;
}

export function patternBudget(): PatternBudget {
  return { work: LIMITS.patternWork };
}

/**
 * Compiles a pattern in RE2 syntax, which runs in time linear to the text (decisions, The graph document): no
 * backreferences, no lookaround. A pattern whose repetitions unfold to too many instructions is refused before it is
 * compiled.
 * @throws StepError VALIDATION_ERROR explaining what is wrong with the pattern
 */
export function compilePattern(pattern: string): RE2JS {
  const known = cache.get(pattern);
  if (known) return known;
  if (pattern.length > LIMITS.patternCharacters) {
    throw new StepError(
      "VALIDATION_ERROR",
      `A pattern can have at most ${formatNumber(LIMITS.patternCharacters)} characters.`,
    );
  }
  const size = patternSize(pattern, LIMITS.patternSize);
  if (size > LIMITS.patternSize) throw new StepError("VALIDATION_ERROR", sizeProblem());
  const compiled = compile(pattern);
  cache.set(pattern, compiled, size * INSTRUCTION_BYTES);
  return compiled;
}

function sizeProblem(): string {
  const limit = formatNumber(LIMITS.patternSize);
  return `The pattern unfolds to more than ${limit} parts. Lower its counted repetitions such as {1000}, or use * or +.`;
}

/** Explains that the patterns of one document are too large together. */
export function patternsProblem(): string {
  const limit = formatNumber(LIMITS.definitionPatternSize);
  return `All patterns together unfold to more than ${limit} parts. Lower their counted repetitions such as {1000}.`;
}

function compile(pattern: string): RE2JS {
  try {
    return RE2JS.compile(pattern);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new StepError("VALIDATION_ERROR", `The pattern is not valid: ${reason}`, { cause });
  }
}

/**
 * Returns true if the pattern matches anywhere in the text; `^` and `$` anchor it to the ends.
 * @throws StepError VALIDATION_ERROR if the pattern is invalid or the budget does not suffice for the text
 */
export function matchPattern(pattern: string, text: string, budget: PatternBudget = patternBudget()): boolean {
  const compiled = compilePattern(pattern);
  budget.work -= compiled.programSize() * text.length;
  if (budget.work < 0) {
    const limit = formatNumber(LIMITS.patternWork);
    throw new StepError(
      "data_too_large",
      `A text of ${text.length} characters is too long for this pattern: pattern size times text length can be at most ${limit} in a step.`,
    );
  }
  return compiled.matcher(text).find();
}
