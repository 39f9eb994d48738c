import { z } from "zod";
import { LIMITS } from "#lib/contract/limits";
import { StepError } from "#lib/contract/step-error";
import type { OutputField } from "#lib/core/steps/define-step-kind";

/** A template that gives an array, or the array itself. */
export const listTemplate = z
  .unknown()
  .refine((items) => items !== undefined && items !== null && items !== "", "is required");

/** What a step that works through a list gives while it does (decisions, The graph document: loop). */
export const ITEM_FIELDS: readonly OutputField[] = [
  { path: ["item"], type: null, description: "The item of this iteration" },
  { path: ["index"], type: "integer", description: "Which iteration this is, from 0" },
];

/**
 * The list that a template gave.
 * @param taker what works through it, with its verb: `a loop runs`
 * @throws StepError VALIDATION_ERROR when it is no list, or longer than a step may work through
 */
export function requireItems(value: unknown, taker: string): unknown[] {
  if (!Array.isArray(value)) {
    const found = value === null ? "nothing" : typeof value === "object" ? "an object" : `a ${typeof value}`;
    throw new StepError("VALIDATION_ERROR", `items must be an array, but is ${found}`);
  }
  if (value.length > LIMITS.loopIterations) {
    const most = `${taker} at most ${LIMITS.loopIterations} times`;
    throw new StepError("VALIDATION_ERROR", `items holds ${value.length} values, and ${most}`);
  }
  return value;
}
