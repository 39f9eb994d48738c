import { z } from "zod";
import { ACTION_STATUSES, type ActionDetailObject, type ActionObject, APPROVAL_POLICIES } from "#lib/contract/action";
import { APPROVAL_KINDS, APPROVAL_STATUSES, type ApprovalObject } from "#lib/contract/approval";
import { EVENT_KINDS, type JournalEventObject, STEP_STATUSES, type StepItem } from "#lib/contract/journal";
import { type InputSchema, type OutputSchema, PROPERTY_TYPES, type PropertySchema } from "#lib/contract/json-schema";
import type { Page } from "#lib/contract/page";
import { RUN_ERROR_CODES, RUN_SOURCES, RUN_STATUSES, type RunError, type RunObject } from "#lib/contract/run";
import { STEP_ERROR_CODES, type StepErrorPayload } from "#lib/contract/step-error";

/**
 * The objects of the runtime API as schemas, for its description. What the code works with are the interfaces of the
 * rooms' own files; `wire-schemas.test.ts` does not compile when the two differ.
 */

/** Names under which the schemas stand in the description. A schema without one is written out where it is used. */
export const WIRE_NAMES = z.registry<{ id: string }>();

function named<Schema extends z.ZodType>(id: string, schema: Schema): Schema {
  WIRE_NAMES.add(schema, { id });
  return schema;
}

const moment = z.iso.datetime({ precision: 3 }).describe("UTC, with milliseconds.");
const jsonObject = z.record(z.string(), z.unknown());
const count = z.int().nonnegative();

const propertySchema = named(
  "PropertySchema",
  z
    .object({
      type: z.enum(PROPERTY_TYPES),
      description: z.string().optional(),
      enum: z.array(z.unknown()).optional(),
      default: z.unknown().optional(),
      items: z.object({ type: z.enum(PROPERTY_TYPES) }).optional(),
    })
    .describe("The schema of one property. Keys that were not given do not appear."),
) satisfies z.ZodType<PropertySchema>;

export const inputSchemaSchema = named(
  "InputSchema",
  z
    .object({
      type: z.literal("object"),
      properties: z.record(z.string(), propertySchema),
      required: z.array(z.string()),
    })
    .describe("JSON Schema of an action's input, fixed when its workflow was published."),
) satisfies z.ZodType<InputSchema>;

export const outputSchemaSchema = named(
  "OutputSchema",
  z
    .object({ type: z.literal("object"), properties: z.record(z.string(), propertySchema) })
    .describe("JSON Schema of an action's output."),
) satisfies z.ZodType<OutputSchema>;

const actionFields = {
  slug: z.string().describe("What callers name the action by; it never changes."),
  name: z.string(),
  description: z.string().nullable(),
  status: z.enum(ACTION_STATUSES).describe("Only active actions can be run."),
  approval_policy: z.enum(APPROVAL_POLICIES).describe("always: every run waits for a decision first."),
  release_version: z.int().positive(),
  workflow_id: z.uuid(),
  inputSchema: inputSchemaSchema,
  outputSchema: outputSchemaSchema.nullable().describe("Null when the workflow declares no output."),
  created_at: moment,
  updated_at: moment,
};

export const actionSchema = named(
  "Action",
  z.object(actionFields).describe("A published workflow."),
) satisfies z.ZodType<ActionObject>;

export const actionDetailSchema = named(
  "ActionDetail",
  z
    .object({
      ...actionFields,
      examples: z.array(jsonObject).max(3).describe("Inputs that satisfy the inputSchema."),
      releases: z
        .array(z.object({ version: z.int().positive(), deployed_at: moment, breaking: z.boolean() }))
        .max(10)
        .describe("The latest, newest first."),
    })
    .describe("A published workflow, with example inputs and its latest releases."),
) satisfies z.ZodType<ActionDetailObject>;

const stepErrorSchema = named(
  "StepError",
  z
    .object({
      code: z.enum(STEP_ERROR_CODES),
      message: z.string(),
      retryAfterMs: z.number().optional().describe("How long the other side asked to wait."),
    })
    .describe("What a step met."),
) satisfies z.ZodType<StepErrorPayload>;

export const stepSchema = named(
  "Step",
  z
    .object({
      step_id: z.string(),
      name: z.string(),
      type: z.string(),
      connector: z.string().optional(),
      operation: z.string().optional(),
      status: z.enum(STEP_STATUSES),
      attempt: z.int().describe("1 for the first try."),
      iteration: z
        .object({
          loop_id: z.string(),
          index: count,
          count: count.nullable(),
          path: z.string().describe("The indexes of all loops around it, the outermost first, joined by dots."),
        })
        .nullable()
        .describe("Null outside loops."),
      reused: z.boolean().describe("Taken over from the run that was replayed."),
      started_at: moment.nullable(),
      completed_at: moment.nullable(),
      duration_ms: count.nullable(),
      input: z.unknown().describe("As the journal holds it: sanitized."),
      output: z.unknown().describe("As the journal holds it: sanitized."),
      error: stepErrorSchema.nullable(),
      truncated: z.boolean().describe("A payload was cut at 64 KiB."),
    })
    .describe("One node of the workflow, and inside a loop one iteration of it."),
) satisfies z.ZodType<StepItem>;

const journalEventSchema = named(
  "JournalEvent",
  z
    .object({
      event: z.enum(EVENT_KINDS),
      step_id: z.string(),
      iteration: z.string().describe("Empty outside loops; else the indexes, joined by dots."),
      attempt: z.int(),
      at: moment,
      inputData: z.unknown().optional(),
      outputData: z.unknown().optional(),
      durationMs: z.number().optional(),
      error: stepErrorSchema.optional(),
    })
    .describe("One entry of the journal."),
) satisfies z.ZodType<JournalEventObject>;

const approvalSchema = named(
  "Approval",
  z
    .object({
      id: z.uuid(),
      status: z.enum(APPROVAL_STATUSES),
      kind: z.enum(APPROVAL_KINDS).describe("policy: the action's approval_policy. gate: a node of the workflow."),
      step_id: z.string().nullable(),
      message: z.string().nullable(),
      requested_at: moment,
      expires_at: moment,
      decided_at: moment.nullable(),
      decided_by: z
        .object({
          type: z.enum(["api_key", "user", "system"]),
          id: z.string().nullable(),
          name: z.string().nullable(),
        })
        .nullable(),
      comment: z.string().nullable(),
    })
    .describe("A request for a decision."),
) satisfies z.ZodType<ApprovalObject>;

const runErrorSchema = named(
  "RunError",
  z
    .object({
      code: z.enum(RUN_ERROR_CODES),
      message: z.string(),
      step_id: z.string().optional(),
      step_name: z.string().optional(),
      retryAfterMs: z.number().optional(),
    })
    .describe("Why a run did not succeed."),
) satisfies z.ZodType<RunError>;

export const runSchema = named(
  "Run",
  z
    .object({
      run_id: z.uuid(),
      action_slug: z.string().nullable().describe("Null for runs of event_driven workflows."),
      action_release_version: z.int().nullable(),
      source: z.enum(RUN_SOURCES),
      status: z.enum(RUN_STATUSES).describe("succeeded, failed, cancelled and timed_out are final."),
      input: jsonObject.describe("Sanitized."),
      output: jsonObject.nullable().describe("What the workflow returned; null until it has succeeded."),
      error: runErrorSchema.nullable(),
      steps: z.array(stepSchema).describe("The timeline, in the order of first events."),
      approval: approvalSchema.nullable(),
      dry_run: z.boolean(),
      correlation_id: z.string().describe("Yours, or the run_id."),
      workflow_id: z.uuid(),
      workflow_version_id: z.uuid().nullable(),
      resume_from_run_id: z.uuid().nullable().describe("The run that this one replays."),
      started_at: moment.nullable(),
      completed_at: moment.nullable(),
      duration_ms: count.nullable(),
      created_at: moment,
      events: z.array(journalEventSchema).optional().describe("The raw journal, with include=events."),
    })
    .describe("One execution of a workflow."),
) satisfies z.ZodType<RunObject>;

function pageSchema<Item extends z.ZodType>(id: string, item: Item) {
  return named(
    id,
    z
      .object({
        data: z.array(item),
        has_more: z.boolean(),
        next_cursor: z.string().nullable().describe("cursor of the next page."),
      })
      .describe("One page of a list."),
  ) satisfies z.ZodType<Page<z.output<Item>>>;
}

export const actionPageSchema = pageSchema("ActionPage", actionSchema);
export const runPageSchema = pageSchema("RunPage", runSchema);
