import { z } from "zod";
import { LIMITS } from "#lib/contract/limits";
import { listTemplate } from "#lib/core/steps/item-data";
import { stepSettings } from "#lib/core/steps/step-settings";

const CONCURRENCY_MESSAGE = `must be a whole number from 1 to ${LIMITS.loopConcurrency}`;

export const loopData = z.object({
  ...stepSettings,
  items: listTemplate,
  concurrency: z
    .int(CONCURRENCY_MESSAGE)
    .min(1, CONCURRENCY_MESSAGE)
    .max(LIMITS.loopConcurrency, CONCURRENCY_MESSAGE)
    .default(1),
  /** A template, evaluated at the end of each iteration. */
  result: z.unknown().optional(),
});
