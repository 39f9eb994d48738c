import { LIMITS } from "#lib/contract/limits";
import { StepError, type StepErrorPayload } from "#lib/contract/run/step-error";
import type { RunState } from "#lib/core/engine/run-state";
import { exceedsJsonBytes, measureJson } from "#lib/support/json-text/measure-json";

/**
 * Payloads can be nested deeper than request bodies: a node may wrap its input, and responses come from elsewhere. The
 * limit protects every later recursion over the value from a stack overflow.
 */
const PAYLOAD_DEPTH = 2 * LIMITS.jsonDepth;

/**
 * Measures a step's resolved input. It has the same limit as an output, because templates can repeat a large value many
 * times.
 * @throws StepError VALIDATION_ERROR
 */
export function measureInput(run: RunState, input: unknown): number {
  return boundedBytes(run, input, "input");
}

/**
 * Counts the input of an attempt that is journaled now. It does not start if the journal could not hold its input
 * (decisions, Budgets).
 * @throws StepError VALIDATION_ERROR
 */
export function countInput(run: RunState, bytes: number): void {
  if (run.journalBytes + bytes > LIMITS.journalBytes) {
    const message = `The journal of a run can have at most ${LIMITS.journalBytes / 1_048_576} MiB. Pass on less data to its steps`;
    throw new StepError("run_too_large", message);
  }
  countJournaled(run, bytes);
}

/** Counts what a service answered to a failed attempt, because the journal keeps it with the error. */
export function countError(run: RunState, { body }: StepErrorPayload): void {
  const bytes = measureJson(body ?? null, { maxBytes: LIMITS.stepOutputBytes, maxDepth: PAYLOAD_DEPTH });
  if (typeof bytes === "number") countJournaled(run, bytes);
}

function countJournaled(run: RunState, bytes: number): void {
  run.journalBytes += bytes;
  run.gatheredBytes += bytes;
}

/** Replaces the lines of a step when the consoles of the run's earlier steps are as large as they may be together. */
const NO_ROOM = ["… not kept: the steps of this run wrote too much to their consoles"];

/** Returns the lines of a console that the journal keeps. They fail nothing, and count toward a limit of their own. */
export function takeConsole(run: RunState, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  const room = LIMITS.runConsoleBytes - run.consoleBytes;
  const bytes = measureJson(lines, { maxBytes: room, maxDepth: 1 });
  if (typeof bytes !== "number") return NO_ROOM;
  run.consoleBytes += bytes;
  run.gatheredBytes += bytes;
  return [...lines];
}

/** How much of what was gathered may repeat large values. If the end of the run does not store each once, it stores all. */
const REPEATED_BYTES = 3 * LIMITS.journalGatherBytes;

/** Writes the journal before the payloads that a run has gathered fill the worker's memory. */
export async function writeGathered(run: RunState): Promise<void> {
  const repeatedBytes = Math.min(run.sizes.repeatedBytes, REPEATED_BYTES);
  if (run.gatheredBytes - repeatedBytes <= LIMITS.journalGatherBytes) return;
  run.gatheredBytes = 0;
  run.sizes.repeatedBytes = 0;
  run.sizes.texts.clear();
  await run.ports.journal.flush();
}

/**
 * Checks an output and adds its size to the total of the run (decisions, Size limits).
 * @throws StepError VALIDATION_ERROR if the output, or all outputs of the run together, are too large
 */
export function countOutput(run: RunState, output: unknown): unknown {
  const bytes = boundedBytes(run, output, "output");
  countOutputBytes(run, bytes);
  // The outputs of a run have a smaller limit of their own, so the journal has room for this one.
  countJournaled(run, bytes);
  return output ?? null;
}

/**
 * Counts an output that is in the journal already.
 * @throws StepError VALIDATION_ERROR
 */
export function countEarlierOutput(run: RunState, output: unknown): void {
  countOutputBytes(run, boundedBytes(run, output, "output"));
}

function countOutputBytes(run: RunState, bytes: number): void {
  if (run.outputBytes + bytes > LIMITS.runOutputBytes) {
    throw tooLarge("combined output of the run's steps is", LIMITS.runOutputBytes);
  }
  run.outputBytes += bytes;
}

/**
 * Adds the size of one iteration's result to the size of a loop's `results`, so that a loop stops at the first result
 * that exceeds the limit instead of collecting all of them.
 * @param bytes the size of the earlier results
 * @returns the new total
 * @throws StepError VALIDATION_ERROR
 */
export function countResult(bytes: number, result: unknown): number {
  const resultBytes = measureJson(result, { maxBytes: LIMITS.stepOutputBytes - bytes, maxDepth: PAYLOAD_DEPTH });
  if (typeof resultBytes !== "number") throw tooLarge("output is", LIMITS.stepOutputBytes);
  return bytes + resultBytes;
}

/** Checks the run's own output, which is merged from several nodes. */
export function isRunOutputTooLarge(output: unknown): boolean {
  return exceedsJsonBytes(output, LIMITS.stepOutputBytes);
}

function boundedBytes({ sizes: known }: RunState, value: unknown, what: string): number {
  const bytes = measureJson(value, { maxBytes: LIMITS.stepOutputBytes, maxDepth: PAYLOAD_DEPTH, known });
  if (bytes === "too_large") throw tooLarge(`${what} is`, LIMITS.stepOutputBytes);
  if (typeof bytes === "number") return bytes;
  throw new StepError("data_too_large", `The ${what} is nested deeper than ${PAYLOAD_DEPTH} levels`);
}

function tooLarge(what: string, bytes: number): StepError {
  return new StepError("data_too_large", `The ${what} larger than ${bytes / 1_048_576} MiB`);
}
