import { z } from "zod";
import { APPROVAL_POLICIES, SLUG_PATTERN } from "#lib/contract/action/action";
import { LIMITS } from "#lib/contract/limits";
import { ORIENTATIONS } from "#lib/contract/workflow/canvas-choices";
import { canvasNotesSchema } from "#lib/contract/workflow/canvas-note";
import { TAG_PATTERN } from "#lib/contract/workflow/workflow";

export const workflowNameSchema = z
  .string()
  .trim()
  .min(1, "must not be empty")
  .max(200, "must have at most 200 characters")
  .describe("The name that people see. It is independent of the slug.");
export const workflowDescriptionSchema = z.string().trim().max(2_000, "must have at most 2000 characters");

/** The name and description of a workflow, as a person enters them for a new one. */
export const workflowNamesInput = z.object({
  name: workflowNameSchema,
  description: workflowDescriptionSchema.optional(),
});

/** At most as many as a page of a list shows. */
export const workflowIdsSchema = z.array(z.uuid()).min(1).max(LIMITS.pageSizeMax);

const tag = z
  .string()
  .trim()
  .regex(TAG_PATTERN, "must have 1 to 32 letters, digits, spaces and _.:/- and start with a letter or digit");

export const tagWorkflowsInput = z.object({
  workflow_ids: workflowIdsSchema,
  add: z.array(tag).max(20, "must contain at most 20 tags").default([]),
  remove: z.array(z.string().max(100)).max(20).default([]),
});

export const expectedRevisionSchema = z
  .int()
  .positive()
  .describe("The draft_revision that you read. REVISION_CONFLICT if the draft has changed since.");

export const deployWorkflowInput = z.object({
  workflow_id: z.uuid().describe("The workflow's id."),
  slug: z
    .string()
    .max(200)
    .optional()
    .describe("The action's slug. Required for the first publish; cannot be changed later."),
  approval_policy: z.enum(APPROVAL_POLICIES).optional().describe("always: every run waits for a person to approve it."),
  expected_revision: expectedRevisionSchema.optional(),
  allow_breaking: z.boolean().default(false).describe("Publish even if this breaks callers of the current schema."),
  note: z
    .string()
    .trim()
    .max(500, "must have at most 500 characters")
    .optional()
    .describe("What changed, for the version history."),
  version: z
    .int()
    .positive()
    .optional()
    .describe("The number of an earlier version to publish again as a new version, instead of the draft."),
});

/** What a person enters to extract steps as a sub-workflow. */
export const subWorkflowNamesInput = z.object({
  name: workflowNameSchema,
  slug: z.string().trim().regex(SLUG_PATTERN, "must have lowercase letters, digits and inner hyphens, at most 64"),
  publish: z.boolean().describe("Publish it as an action at once. A draft can't be run by the step that replaces it."),
});

/** What a draft has next to its definition, for people only. */
export const drawnInput = z.object({
  /** The notes next to the steps. */
  notes: canvasNotesSchema.optional(),
  /** The direction in which it is drawn; `vertical` if absent. */
  orientation: z.enum(ORIENTATIONS).optional(),
});
