import { z } from "zod";
import { ACTION_STATUSES, APPROVAL_POLICIES } from "#lib/contract/action/action";
import { inputSchemaSchema, outputSchemaSchema } from "#lib/contract/action/input-schema";
import { RUN_STATUSES } from "#lib/contract/run/run";
import { DELIVERY_VERDICTS, TRIGGER_KINDS, TRIGGER_STATUSES } from "#lib/contract/trigger/trigger";
import { countSchema, jsonObjectSchema, momentSchema } from "#lib/contract/wire/wire-values";
import { ORIENTATIONS } from "#lib/contract/workflow/canvas-choices";
import { canvasNotesSchema } from "#lib/contract/workflow/canvas-note";
import { definitionObjectSchema } from "#lib/contract/workflow/definition-schema";
import { STEP_CATEGORIES } from "#lib/contract/workflow/graph";
import { PROBLEM_CODES } from "#lib/contract/workflow/problem-codes";
import {
  PROBLEM_SEVERITIES,
  SCHEMA_CHANGE_KINDS,
  VERSION_STATUSES,
  WORKFLOW_TYPES,
} from "#lib/contract/workflow/workflow";

export const graphProblemSchema = z.object({
  severity: z.enum(PROBLEM_SEVERITIES).describe("An error prevents publishing, a warning does not."),
  code: z.enum(PROBLEM_CODES),
  message: z.string().describe("Explains what to do."),
  node_id: z.string().optional(),
  edge_id: z.string().optional(),
  field: z.string().optional().describe("Dotted path inside the node's data."),
  line: z.int().optional().describe("The line of a syntax error in the field, from 1."),
  column: z.int().optional().describe("The column of a syntax error, from 1; absent if it is not known."),
  origin: z
    .string()
    .optional()
    .describe("The scheme, host and port of the service that a connection is missing for, or does not allow."),
  fix: jsonObjectSchema.optional().describe("The operation for update_workflow that fixes it, if it is certain."),
});

export const schemaChangeSchema = z.object({
  field: z.string(),
  kind: z.enum(SCHEMA_CHANGE_KINDS),
  breaking: z.boolean(),
  message: z.string(),
  new_field: z.string().optional().describe("The new name of a renamed field."),
});

const actionOfWorkflow = z.object({
  slug: z.string(),
  status: z.enum(ACTION_STATUSES),
  approval_policy: z.enum(APPROVAL_POLICIES),
});

export const workflowSchema = z.object({
  workflow_id: z.uuid(),
  name: z.string(),
  description: z.string().nullable(),
  type: z.enum(WORKFLOW_TYPES),
  tags: z.array(z.string()),
  owner: z.string().nullable().describe("Who created it; null if unknown."),
  draft_revision: z.int(),
  deployed_version: z.int().nullable().describe("The number of the deployed version; null before the first publish."),
  has_unpublished_changes: z.boolean().describe("True if the draft differs from the deployed version."),
  action: actionOfWorkflow.nullable(),
  trigger: z
    .object({
      kind: z.enum(TRIGGER_KINDS),
      status: z.enum(TRIGGER_STATUSES),
      next_at: momentSchema.nullable().describe("For a schedule."),
      last_delivery: z.object({ verdict: z.enum(DELIVERY_VERDICTS), received_at: momentSchema }).nullable(),
    })
    .nullable()
    .describe("The deployed trigger; null for callable workflows."),
  last_run: z.object({ run_id: z.uuid(), status: z.enum(RUN_STATUSES), created_at: momentSchema }).nullable(),
  created_at: momentSchema,
  updated_at: momentSchema,
  archived_at: momentSchema
    .nullable()
    .describe("Archived workflows are only listed on request, and nothing starts them."),
});

export const workflowDetailSchema = workflowSchema.extend({
  shown: z.union([z.literal("draft"), z.int()]).describe('"draft", or the number of the version.'),
  definition: definitionObjectSchema,
  notes: canvasNotesSchema
    .optional()
    .describe("The notes of the draft, for people only: absent for versions and for agents."),
  orientation: z.enum(ORIENTATIONS).optional().describe("How the draft is drawn. Absent when `notes` is absent."),
  problems: z
    .array(graphProblemSchema)
    .describe("The problems of this definition. Without errors, it can be published."),
  applied_fixes: z
    .array(graphProblemSchema)
    .optional()
    .describe("With apply_fixes: the problems whose fix was applied; `problems` are those that remain."),
  input_schema: inputSchemaSchema
    .nullable()
    .describe(
      "The input schema of the deployed version, fixed at publish; null before the first publish and for event_driven workflows.",
    ),
  output_schema: outputSchemaSchema.nullable(),
  versions: z
    .array(
      z.object({
        version: z.int(),
        status: z.enum(VERSION_STATUSES),
        created_at: momentSchema,
        note: z.string().nullable(),
        published_by: z.string().nullable().describe("The name of a person; null if unknown."),
      }),
    )
    .describe("Newest first."),
  webhook_url: z
    .string()
    .optional()
    .describe(
      "The URL of the webhook in this definition. It never changes, and starts runs once the workflow is published.",
    ),
});

export const workflowActivitySchema = z.object({
  workflow_id: z.uuid(),
  days: z.array(countSchema).describe("Runs per day (UTC), oldest first. Each day is counted up to counted_max."),
});

export const outlineBoxSchema = z
  .tuple([z.number(), z.number(), z.number(), z.number(), z.enum(STEP_CATEGORIES), z.boolean()])
  .describe("x, y, width, height, category, and whether it is a loop's frame.");

export const graphOutlineSchema = z.object({
  width: z.number(),
  height: z.number(),
  boxes: z.array(outlineBoxSchema).describe("The frames of loops come before all cards."),
  lines: z.array(z.tuple([z.number(), z.number()])).describe("From one box to another, by their indexes in boxes."),
});

export const bulkOutcomeSchema = z.object({
  workflow_id: z.uuid(),
  name: z.string(),
  error: z.string().nullable().describe("Null if the change was made."),
});

export const missingPartSchema = z.object({
  node_id: z.string(),
  kind: z.enum(["connection", "secret", "action"]),
  message: z.string(),
});

export const deployResultSchema = z.object({
  workflow_id: z.uuid(),
  version: z.int(),
  status: z.enum(VERSION_STATUSES),
  action: actionOfWorkflow
    .extend({ release_version: z.int() })
    .nullable()
    .describe("Null for an event_driven workflow."),
  breaking_changes: z.array(schemaChangeSchema),
  warnings: z
    .array(graphProblemSchema)
    .describe("Likely mistakes and secrets in the published definition, each with the node and the field."),
});
