import { z } from "zod";
import { LIMITS } from "#lib/contract/limits";

const MAX_RETRIES_MESSAGE = `must be a whole number from 0 to ${LIMITS.maxRetries}`;
/** Settings of nodes that do work: they can be retried, and the run can continue if they fail. */
export const work = {
  maxRetries: z
    .int(MAX_RETRIES_MESSAGE)
    .min(0, MAX_RETRIES_MESSAGE)
    .max(LIMITS.maxRetries, MAX_RETRIES_MESSAGE)
    .default(0),
  continueOnFailure: z.boolean().default(false),
};
