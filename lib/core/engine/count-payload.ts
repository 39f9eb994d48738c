import { LIMITS } from "#lib/contract/limits";
import { StepError } from "#lib/contract/step-error";
import type { RunState } from "#lib/core/engine/run-state";
import { exceedsJsonBytes, exceedsJsonDepth } from "#lib/support/json";

/**
 * Payloads nest deeper than request bodies may: a node wraps what it was given, an answer comes from elsewhere. The
 * bound keeps every later walk over the value off the end of the stack.
 */
const PAYLOAD_DEPTH = 2 * LIMITS.jsonDepth;

/**
 * A step's resolved input, bounded like an output: templates can repeat a large value many times.
 * @throws StepError VALIDATION_ERROR
 */
export function countInput(input: unknown): unknown {
  assertBounded(input, "input");
  return input;
}

/**
 * Checks an output and adds it to what the run has produced (decisions, Size limits).
 * @throws StepError VALIDATION_ERROR when it, or all outputs of the run together, are too large
 */
export function countOutput(run: RunState, output: unknown): unknown {
  assertBounded(output, "output");
  const bytes = Buffer.byteLength(JSON.stringify(output) ?? "null");
  if (run.outputBytes + bytes > LIMITS.runOutputBytes) {
    throw tooLarge("outputs of the run's steps together are", LIMITS.runOutputBytes);
  }
  run.outputBytes += bytes;
  return output ?? null;
}

/**
 * Adds one iteration's place in a loop's `results` to those before it, so that a loop ends at the result that is too much
 * instead of gathering all of them.
 * @param bytes of those before
 * @returns theirs and its own
 * @throws StepError VALIDATION_ERROR
 */
export function countResult(bytes: number, result: unknown): number {
  if (exceedsJsonBytes(result, LIMITS.stepOutputBytes - bytes)) throw tooLarge("output is", LIMITS.stepOutputBytes);
  return bytes + Buffer.byteLength(JSON.stringify(result) ?? "null");
}

/** The run's own output, merged from several nodes. */
export function isRunOutputTooLarge(output: unknown): boolean {
  return exceedsJsonBytes(output, LIMITS.stepOutputBytes);
}

function assertBounded(value: unknown, what: string): void {
  if (exceedsJsonDepth(value, PAYLOAD_DEPTH)) {
    throw new StepError("data_too_large", `The ${what} is nested more than ${PAYLOAD_DEPTH} levels deep`);
  }
  if (exceedsJsonBytes(value, LIMITS.stepOutputBytes)) throw tooLarge(`${what} is`, LIMITS.stepOutputBytes);
}

function tooLarge(what: string, bytes: number): StepError {
  return new StepError("data_too_large", `The ${what} larger than ${bytes / 1_048_576} MiB`);
}
