import { z } from "zod";
import { LIMITS } from "#lib/contract/limits";
import { StepError } from "#lib/contract/run/step-error";

/** A template that evaluates to an array, or the array itself. */
export const listTemplate = z
  .unknown()
  .refine((items) => items !== undefined && items !== null && items !== "", "is required");

/**
 * Returns the list that a template evaluated to.
 * @param taker the kind of step that works through it: `a loop`
 * @throws StepError VALIDATION_ERROR if the value is not a list, or has more items than a step can process
 */
export function requireItems(value: unknown, taker: string): unknown[] {
  if (!Array.isArray(value)) {
    const found = value === null ? "null" : typeof value === "object" ? "an object" : `a ${typeof value}`;
    throw new StepError("VALIDATION_ERROR", `items must be an array, but is ${found}`);
  }
  if (value.length > LIMITS.loopIterations) {
    const most = `${taker} can process at most ${LIMITS.loopIterations}`;
    throw new StepError("VALIDATION_ERROR", `items has ${value.length} entries, but ${most}`);
  }
  return value;
}
