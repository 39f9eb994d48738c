import { LIMITS } from "#lib/contract/limits";
import { StepError } from "#lib/contract/step-error";
import type { RunState } from "#lib/core/engine/run-state";
import { exceedsJsonBytes, exceedsJsonDepth } from "#lib/support/json";

/**
 * Payloads can be nested deeper than request bodies: a node may wrap its input, and responses come from elsewhere. The
 * limit protects every later recursion over the value from a stack overflow.
 */
const PAYLOAD_DEPTH = 2 * LIMITS.jsonDepth;

/**
 * Checks the size of a step's resolved input. It has the same limit as an output, because templates can repeat a large
 * value many times.
 * @throws StepError VALIDATION_ERROR
 */
export function countInput(input: unknown): unknown {
  assertBounded(input, "input");
  return input;
}

/**
 * Checks an output and adds its size to the total of the run (decisions, Size limits).
 * @throws StepError VALIDATION_ERROR if the output, or all outputs of the run together, are too large
 */
export function countOutput(run: RunState, output: unknown): unknown {
  assertBounded(output, "output");
  const bytes = Buffer.byteLength(JSON.stringify(output) ?? "null");
  if (run.outputBytes + bytes > LIMITS.runOutputBytes) {
    throw tooLarge("combined output of the run's steps is", LIMITS.runOutputBytes);
  }
  run.outputBytes += bytes;
  return output ?? null;
}

/**
 * Adds the size of one iteration's result to the size of a loop's `results`, so that a loop stops at the first result
 * that exceeds the limit instead of collecting all of them.
 * @param bytes the size of the earlier results
 * @returns the new total
 * @throws StepError VALIDATION_ERROR
 */
export function countResult(bytes: number, result: unknown): number {
  if (exceedsJsonBytes(result, LIMITS.stepOutputBytes - bytes)) throw tooLarge("output is", LIMITS.stepOutputBytes);
  return bytes + Buffer.byteLength(JSON.stringify(result) ?? "null");
}

/** Checks the run's own output, which is merged from several nodes. */
export function isRunOutputTooLarge(output: unknown): boolean {
  return exceedsJsonBytes(output, LIMITS.stepOutputBytes);
}

function assertBounded(value: unknown, what: string): void {
  if (exceedsJsonDepth(value, PAYLOAD_DEPTH)) {
    throw new StepError("data_too_large", `The ${what} is nested deeper than ${PAYLOAD_DEPTH} levels`);
  }
  if (exceedsJsonBytes(value, LIMITS.stepOutputBytes)) throw tooLarge(`${what} is`, LIMITS.stepOutputBytes);
}

function tooLarge(what: string, bytes: number): StepError {
  return new StepError("data_too_large", `The ${what} larger than ${bytes / 1_048_576} MiB`);
}
