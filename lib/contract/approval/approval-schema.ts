import { z } from "zod";
import { APPROVAL_KINDS, APPROVAL_STATUSES } from "#lib/contract/approval/approval";
import { RUN_SOURCES } from "#lib/contract/run/run";
import { jsonObjectSchema, momentSchema, named } from "#lib/contract/wire/wire-values";

/** Who did something: a person, a key, or the service itself. */
export const actorSchema = z.object({
  type: z.enum(["api_key", "user", "system"]),
  id: z.string().nullable(),
  name: z.string().nullable(),
});

const approvalFields = {
  id: z.uuid(),
  status: z.enum(APPROVAL_STATUSES),
  kind: z.enum(APPROVAL_KINDS).describe("policy: the action's approval_policy. gate: a node of the workflow."),
  step_id: z.string().nullable(),
  message: z.string().nullable(),
  requested_at: momentSchema,
  expires_at: momentSchema,
  decided_at: momentSchema.nullable(),
  decided_by: actorSchema.nullable(),
  comment: z.string().nullable(),
};

export const approvalSchema = named("Approval", z.object(approvalFields).describe("A request for a decision."));

export const approvalRequestSchema = z.object({
  ...approvalFields,
  run_id: z.uuid(),
  action_slug: z.string().nullable(),
  workflow_id: z.uuid(),
  workflow_name: z.string(),
  source: z.enum(RUN_SOURCES),
  requested_by: z.object({
    type: z.enum(["api_key", "user", "event"]),
    name: z.string().nullable().describe("Null for an event, because no one requested the run."),
    prefix: z.string().nullable(),
  }),
});

export const approvalDetailSchema = approvalRequestSchema.extend({
  input: jsonObjectSchema.describe("Sanitized, as shown with the run."),
  step_name: z.string().nullable().describe("For a gate: the label of its step."),
  has_rejected_branch: z
    .boolean()
    .describe("For a gate: after a rejection, the run continues along the rejected branch instead of being canceled."),
  is_own_forbidden: z
    .boolean()
    .describe("True if the workspace does not let people approve their own runs, and the reader started this run."),
  deciders: z.array(z.string()).describe("The names of some members who can decide."),
});
