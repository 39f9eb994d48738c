import { z } from "zod";
import { APPROVAL_POLICIES } from "#lib/contract/action";
import { LIMITS } from "#lib/contract/limits";
import { TAG_PATTERN } from "#lib/contract/workflow";

export const workflowNameSchema = z
  .string()
  .trim()
  .min(1, "must not be empty")
  .max(200, "must have at most 200 characters")
  .describe("The workflow's name for people; the slug is another thing.");
export const workflowDescriptionSchema = z.string().trim().max(2_000, "must have at most 2000 characters");

/** How a workflow is called and described: what a person enters for a new one. */
export const workflowNamesInput = z.object({
  name: workflowNameSchema,
  description: workflowDescriptionSchema.optional(),
});

/** As many as a page of a list shows. */
export const workflowIdsSchema = z.array(z.uuid()).min(1).max(LIMITS.pageSizeMax);

const tag = z
  .string()
  .trim()
  .regex(TAG_PATTERN, "must be 1 to 32 letters, digits, spaces and _.:/- and begin with a letter or digit");

export const tagWorkflowsInput = z.object({
  workflow_ids: workflowIdsSchema,
  add: z.array(tag).max(20, "must be at most 20 tags").default([]),
  remove: z.array(z.string().max(100)).max(20).default([]),
});

export const expectedRevisionSchema = z
  .int()
  .positive()
  .describe("The draft_revision you have read; when the draft changed since then, REVISION_CONFLICT.");

export const deployWorkflowInput = z.object({
  workflow_id: z.uuid().describe("The workflow's id."),
  slug: z.string().max(200).optional().describe("The action's slug. Required at the first publish, fixed after it."),
  approval_policy: z.enum(APPROVAL_POLICIES).optional().describe("always: every run waits for a person."),
  expected_revision: expectedRevisionSchema.optional(),
  allow_breaking: z.boolean().default(false).describe("Publish although callers of the current schema break."),
  note: z
    .string()
    .trim()
    .max(500, "must have at most 500 characters")
    .optional()
    .describe("What changed, for the history."),
  version: z
    .int()
    .positive()
    .optional()
    .describe("An earlier version to publish again as a new one, instead of the draft."),
});
