import { z } from "zod";
import { LIMITS } from "#lib/contract/limits";

const MAX_RETRIES_MESSAGE = `must be a whole number from 0 to ${LIMITS.maxRetries}`;
/** How the pauses before retries grow. */
export const RETRY_BACKOFFS = ["exponential", "fixed"] as const;
export type RetryBackoff = (typeof RETRY_BACKOFFS)[number];

const WAIT_MESSAGE = `must be a whole number from 1 to ${LIMITS.retryWaitSecondsMax}`;

/** Settings of nodes that do work: they can be retried, and the run can continue if they fail. */
export const work = {
  maxRetries: z
    .int(MAX_RETRIES_MESSAGE)
    .min(0, MAX_RETRIES_MESSAGE)
    .max(LIMITS.maxRetries, MAX_RETRIES_MESSAGE)
    .default(0),
  retryBackoff: z.enum(RETRY_BACKOFFS).default("exponential"),
  retryWaitSeconds: z
    .int(WAIT_MESSAGE)
    .min(1, WAIT_MESSAGE)
    .max(LIMITS.retryWaitSecondsMax, WAIT_MESSAGE)
    .default(LIMITS.retryWaitSeconds),
  continueOnFailure: z.boolean().default(false),
};
