import { z } from "zod";
import { actorSchema, approvalSchema } from "#lib/contract/approval/approval-schema";
import { type ApiErrorCode, reasonsOfCode } from "#lib/contract/error/api-error";
import { LIMITS } from "#lib/contract/limits";
import { journalEventSchema, runWarningSchema, stepSchema } from "#lib/contract/run/journal-schema";
import { RUN_SOURCES, RUN_STATUSES, TERMINAL_RUN_STATUSES } from "#lib/contract/run/run";
import { RUN_ERROR_CODES, RUN_ERROR_REASON_NAMES } from "#lib/contract/run/step-error";
import { countSchema, jsonObjectSchema, momentSchema, named, pageSchema } from "#lib/contract/wire/wire-values";

export const runErrorSchema = named(
  "RunError",
  z
    .object({
      code: z.enum(RUN_ERROR_CODES),
      reason: z.enum(RUN_ERROR_REASON_NAMES).optional().describe("The exact reason; absent in old runs."),
      message: z.string(),
      step_id: z.string().optional(),
      step_name: z.string().optional(),
      retryAfterMs: z.number().optional(),
      status: z.int().optional().describe("The HTTP status that a service answered the step with."),
    })
    .describe("Why a run did not succeed."),
);

const stepsPageSchema = named(
  "StepsPage",
  z
    .object({
      total: countSchema.describe("The steps that the run has so far."),
      next_cursor: z
        .string()
        .nullable()
        .describe("Send it as steps_cursor to read the next steps; null on the last page."),
      loops: z
        .array(z.object({ step_id: z.string(), steps: countSchema, failed: countSchema }))
        .describe("The steps inside each loop, on all pages."),
    })
    .describe("Only in runs with too many steps for one answer: which of them `steps` contains."),
);

/** contract, Run. */
const FINAL = `${TERMINAL_RUN_STATUSES.slice(0, -1).join(", ")} and ${TERMINAL_RUN_STATUSES.at(-1)} never change.`;

export const runSchema = named(
  "Run",
  z
    .object({
      run_id: z.uuid(),
      action_slug: z.string().nullable().describe("Null for runs of event_driven workflows."),
      action_release_version: z.int().nullable(),
      source: z.enum(RUN_SOURCES),
      status: z.enum(RUN_STATUSES).describe(FINAL),
      input: jsonObjectSchema.describe("Sanitized."),
      output: jsonObjectSchema.nullable().describe("The output of the workflow; null until the run has succeeded."),
      error: runErrorSchema.nullable(),
      warnings: z
        .array(runWarningSchema)
        .optional()
        .describe(`Of all steps, each once, at most ${LIMITS.runWarnings}. Absent if there are none.`),
      steps: z.array(stepSchema).describe("The timeline, in the order of first events."),
      steps_page: stepsPageSchema.optional(),
      approval: approvalSchema.nullable(),
      cancelled_by: actorSchema
        .optional()
        .describe(
          "Only if the status is cancelled: the user or API key that canceled or rejected this run or its parent run. The type is system if there is none.",
        ),
      dry_run: z.boolean(),
      correlation_id: z.string().describe("The id that you sent, or the run_id."),
      workflow_id: z.uuid(),
      workflow_version_id: z.uuid().nullable(),
      resume_from_run_id: z.uuid().nullable().describe("The run that this run replays."),
      started_at: momentSchema.nullable(),
      completed_at: momentSchema.nullable(),
      duration_ms: countSchema.nullable(),
      created_at: momentSchema,
      events: z.array(journalEventSchema).optional().describe("The raw journal, with include=events."),
    })
    .describe("An execution of a workflow."),
);

/** The stored fields that are null when a run is created and get their values later (contract, Run). */
export const FILLED_LATER = { output: null, error: null, started_at: null, completed_at: null } as const;

export const runPageSchema = pageSchema("RunPage", runSchema);

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
