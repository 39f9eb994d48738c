import { RE2JS } from "re2js";
import { StepError } from "#lib/contract/step-error";

/**
 * Steps of the automaton one comparison may cost: pattern size times text length. 5,000,000 took 0.2 to 0.7 s in the
 * worst case measured; the step timeout cannot interrupt it.
 */
const MAX_WORK = 5_000_000;
const MAX_PATTERN_LENGTH = 1_000;

const MAX_PATTERNS = 200;
const cache = new Map<string, RE2JS>();

/**
 * A pattern in RE2 syntax, whose time grows with the text only linearly (decisions, The graph document): no
 * backreferences, no lookaround.
 * @throws StepError VALIDATION_ERROR saying what is wrong with the pattern
 */
export function compilePattern(pattern: string): RE2JS {
  const known = cache.get(pattern);
  if (known) return known;
  if (pattern.length > MAX_PATTERN_LENGTH) {
    throw new StepError("VALIDATION_ERROR", `A pattern is at most ${MAX_PATTERN_LENGTH} characters long.`);
  }
  let compiled: RE2JS;
  try {
    compiled = RE2JS.compile(pattern);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new StepError("VALIDATION_ERROR", `The pattern cannot be read: ${reason}`, { cause });
  }
  if (cache.size >= MAX_PATTERNS) {
    const oldest = cache.keys().next();
    if (!oldest.done) cache.delete(oldest.value);
  }
  cache.set(pattern, compiled);
  return compiled;
}

/**
 * True when the pattern is found anywhere in the text; `^` and `$` tie it to the ends.
 * @throws StepError VALIDATION_ERROR when the pattern cannot be read or the text is too long for it
 */
export function matchPattern(pattern: string, text: string): boolean {
  const compiled = compilePattern(pattern);
  if (compiled.programSize() * text.length > MAX_WORK) {
    throw new StepError("data_too_large", `A text of ${text.length} characters is too long for this pattern.`);
  }
  return compiled.matcher(text).find();
}
