import { z } from "zod";
import { journalEventSchema } from "#lib/contract/run/journal-schema";
import { momentSchema } from "#lib/contract/wire/wire-values";
import { definitionObjectSchema } from "#lib/contract/workflow/definition-schema";

export const runChangeSchema = z.object({
  run_id: z.uuid(),
  outcome: z.enum(["cancelled", "replayed", "unchanged", "refused"]).describe("unchanged: the run had already ended."),
  new_run_id: z.uuid().nullable().describe("The id of the replay."),
  code: z.string().nullable().describe("Why the request was refused."),
  error: z.string().nullable(),
});

export const replayPreviewSchema = z.object({
  version: z.int().describe("The published version."),
  is_same: z.boolean().describe("The run already executed it, so both choices of a replay do the same."),
  definition: definitionObjectSchema.describe("What the published version executes."),
  changed_steps: z.array(z.string()).describe("The steps that a replay on it cannot take over from the run."),
  input_problems: z
    .array(
      z.object({
        field: z.string().describe("The name of the input field."),
        message: z.string(),
        type: z.string().nullable().describe("The type that the field must have; null if the schema does not name it."),
      }),
    )
    .describe("Why the input of the run does not fit it."),
});

export const stepDetailSchema = z.object({
  input: z.unknown(),
  output: z.unknown(),
  events: z.array(journalEventSchema),
});

export const runGraphSchema = z.object({
  workflow_name: z.string(),
  is_deleted: z.boolean().describe("The workflow was deleted, so there is no draft to open and nothing to call."),
  version: z.int().nullable().describe("Null for a test of a draft."),
  definition: definitionObjectSchema,
  taken_edges: z.array(z.string()).describe("Edges that the run took in any iteration."),
  attempts: z
    .array(
      z.object({
        step_id: z.string(),
        iteration: z.string(),
        attempt: z.int(),
        started_at: momentSchema,
        failed_after_ms: z.number().nullable().describe("Null for the last attempt, and if the end is unknown."),
      }),
    )
    .describe("The attempts of steps that were tried more than once, in order."),
  started_by: z
    .object({ key_prefix: z.string().nullable(), name: z.string() })
    .nullable()
    .describe("Null if no person started it, or if it is no longer known who did."),
  parent_run_id: z.uuid().nullable(),
});
