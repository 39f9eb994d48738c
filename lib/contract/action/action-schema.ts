import { z } from "zod";
import { ACTION_STATUSES, APPROVAL_POLICIES } from "#lib/contract/action/action";
import { inputSchemaSchema, outputSchemaSchema } from "#lib/contract/action/input-schema";
import { countSchema, jsonObjectSchema, momentSchema, named, pageSchema } from "#lib/contract/wire/wire-values";

const actionFields = {
  slug: z.string().describe("The name that callers use. It never changes."),
  name: z.string(),
  description: z.string().nullable(),
  status: z.enum(ACTION_STATUSES).describe("Only active actions can be run."),
  approval_policy: z.enum(APPROVAL_POLICIES).describe("always: every run waits for approval first."),
  release_version: z.int().positive(),
  workflow_id: z.uuid(),
  inputSchema: inputSchemaSchema,
  outputSchema: outputSchemaSchema.nullable().describe("Null if the workflow declares no output."),
  created_at: momentSchema,
  updated_at: momentSchema,
};

export const actionSchema = named("Action", z.object(actionFields).describe("A published workflow."));

export const actionDetailSchema = named(
  "ActionDetail",
  z
    .object({
      ...actionFields,
      examples: z.array(jsonObjectSchema).max(3).describe("Inputs that satisfy the inputSchema."),
      releases: z
        .array(z.object({ version: z.int().positive(), deployed_at: momentSchema, breaking: z.boolean() }))
        .max(10)
        .describe("The latest releases, newest first."),
    })
    .describe("A published workflow, with example inputs and its latest releases."),
);

export const actionPageSchema = pageSchema("ActionPage", actionSchema);

export const actionActivitySchema = z.object({
  slug: z.string(),
  calls: countSchema,
  has_more: z.boolean().describe("True if there were more calls than were counted."),
  error_rate: z
    .number()
    .nullable()
    .describe("The share of failed and timed-out runs among the runs that were not cancelled; null if there are none."),
  p95_ms: z.number().nullable().describe("From start to end; 95 of 100 runs took no longer."),
});
