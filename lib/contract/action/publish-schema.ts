import { z } from "zod";
import { inputSchemaSchema, outputSchemaSchema } from "#lib/contract/action/input-schema";
import { countSchema, momentSchema } from "#lib/contract/wire/wire-values";
import type { NodeType } from "#lib/contract/workflow/graph";
import { WORKFLOW_TYPES } from "#lib/contract/workflow/workflow";
import { graphProblemSchema, schemaChangeSchema, workflowSchema } from "#lib/contract/workflow/workflow-schema";

export const affectedFieldSchema = z.object({
  field: z.string(),
  effect: z
    .enum(["refused", "ignored"])
    .describe("refused: the call would fail with 400. ignored: it would run, but nothing reads the field anymore."),
  calls: countSchema.describe("The number of sampled calls."),
  message: z.string(),
  run_id: z
    .uuid()
    .nullable()
    .describe("The newest of these calls; null if the effect is only known from the published step."),
  step: z.object({ id: z.string(), name: z.string() }).optional().describe("The workflow's step that sends the field."),
});

export const affectedCallerSchema = z.object({
  kind: z.enum(["key", "person", "workflow"]),
  id: z.uuid(),
  name: z.string(),
  prefix: z.string().nullable().describe("The prefix, for a key."),
  calls: countSchema.describe("The number of calls in the period."),
  has_more: z.boolean().describe("True if there were more calls than were counted."),
  last_call_at: momentSchema.nullable().describe("Null for a workflow without a call in the period."),
  sampled: countSchema.describe("How many of the newest calls were checked against the new schema."),
  refused: countSchema,
  ignored: countSchema,
  fields: z.array(affectedFieldSchema),
});

export const callerReportSchema = z.object({
  days: countSchema,
  sampled_per_caller: countSchema.describe("Up to this many of each caller's newest calls are checked."),
  callers: z.array(affectedCallerSchema).describe("Callers that would break come first."),
});

export const fieldChangeSchema = z.object({
  field: z.string().describe("Dotted path inside the node's data."),
  was: z.unknown().optional().describe("Absent if the field did not exist."),
  now: z.unknown().optional(),
});

export const changedNodeSchema = z.object({
  node_id: z.string(),
  type: z.custom<NodeType>((type) => typeof type === "string"),
  name: z.string(),
  fields: z.array(fieldChangeSchema),
});

export const graphChangesSchema = z.object({
  added: z.array(changedNodeSchema.omit({ fields: true })),
  removed: z.array(changedNodeSchema.omit({ fields: true })),
  changed: z.array(changedNodeSchema),
  lines_added: countSchema,
  lines_removed: countSchema,
});

export const outputChangeSchema = z.object({
  field: z.string(),
  kind: z.enum(["added", "removed", "type_changed"]),
  was: z.string().nullable(),
  now: z.string().nullable(),
});

export const publishPreviewSchema = z.object({
  source: z
    .union([z.literal("draft"), z.int()])
    .describe("The source: the draft, or an earlier version that is published again."),
  draft_revision: z.int(),
  type: z.enum(WORKFLOW_TYPES),
  problems: z.array(graphProblemSchema),
  warnings: z.array(graphProblemSchema).describe("Likely mistakes that do not prevent publishing."),
  deployed_version: z.int().nullable().describe("Null for the first publish."),
  next_version: z.int().describe("The number that the new version would get."),
  action: workflowSchema.shape.action,
  input_before: inputSchemaSchema.nullable().describe("Null before the first publish and for event_driven workflows."),
  input_after: inputSchemaSchema,
  output_after: outputSchemaSchema.nullable(),
  changes: z.array(schemaChangeSchema),
  output_changes: z.array(outputChangeSchema),
  graph: graphChangesSchema.nullable().describe("Null for the first publish."),
  report: callerReportSchema.nullable().describe("Null if no change is breaking."),
});

export const versionComparisonSchema = z.object({
  from: z.int(),
  to: z.union([z.literal("draft"), z.int()]),
  changes: z.array(schemaChangeSchema),
  output_changes: z.array(outputChangeSchema),
  graph: graphChangesSchema,
});
