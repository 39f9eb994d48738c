import { z } from "zod";
import { type ApiErrorCode, reasonsOfCode } from "#lib/contract/api-error";
import { runSchema } from "#lib/contract/schemas/run-schema";
import { named } from "#lib/contract/schemas/wire-names";
import { countSchema } from "#lib/contract/schemas/wire-values";

/** The codes with which an item of a batch can be refused while others run. */
const ITEM_ERROR_CODES = [
  "BAD_REQUEST",
  "INPUT_VALIDATION_FAILED",
  "QUOTA_EXCEEDED",
  "ACTION_NOT_FOUND",
  "ACTION_UNAVAILABLE",
  "IDEMPOTENCY_IN_PROGRESS",
  "IDEMPOTENCY_KEY_REUSED",
  "RATE_LIMIT_EXCEEDED",
] as const satisfies ApiErrorCode[];

const itemErrorSchema = named(
  "BatchItemError",
  z
    .object({
      error: z.string().describe("The message for people."),
      code: z.enum(ITEM_ERROR_CODES),
      reason: z.enum(ITEM_ERROR_CODES.flatMap(reasonsOfCode)).describe("The exact reason, for programs."),
      details: z.unknown().optional().describe("As in the error of a single call; paths start at the item's input."),
    })
    .describe("Why an item of a batch has no run: the error that a single call would get."),
);

const batchItemSchema = named(
  "BatchItem",
  z
    .object({
      run: runSchema.nullable().describe("The run, as a single call returns it; null if the item was refused."),
      error: itemErrorSchema.nullable(),
      idempotent_replayed: z.boolean().describe("True if this repeats the first response to the idempotency key."),
      retry_after: countSchema
        .nullable()
        .describe("Seconds to wait before you send the item again; null if waiting does not help."),
    })
    .describe("The answer to one item: a run or an error."),
);

export const batchSchema = named(
  "Batch",
  z
    .object({
      data: z.array(batchItemSchema).describe("One answer per item, in the order of the items."),
      refused: countSchema.describe("The number of items with an error. 0 means that every item has a run."),
    })
    .describe("The answer to a batch of calls."),
);
