import type { z } from "zod";
import type {
  bulkOutcomeSchema,
  deployResultSchema,
  graphOutlineSchema,
  graphProblemSchema,
  missingPartSchema,
  outlineBoxSchema,
  schemaChangeSchema,
  workflowActivitySchema,
  workflowDetailSchema,
  workflowSchema,
} from "#lib/contract/workflow/workflow-schema";

/** contract, Workflows and versions. */
export const WORKFLOW_TYPES = ["event_driven", "callable"] as const;
export type WorkflowType = (typeof WORKFLOW_TYPES)[number];

/** contract, Workflows and versions. */
export const VERSION_STATUSES = ["deployed", "archived"] as const;

/**
 * contract, Errors: the exact messages with which publishing can be refused. The message about the trigger is ours, in
 * the same form.
 */
export const PUBLISH_MESSAGES = {
  actionInput: "Callable workflow must have exactly 1 Action Input node",
  returnOutput: "Callable workflow must have at least 1 Return Output node",
  trigger: "An event_driven workflow must have exactly 1 Trigger node",
} as const;

/** The filters of a list of workflows: `live` has a version, `changed` has a version that the draft differs from. */
export const WORKFLOW_STATES = ["draft", "live", "changed", "archived"] as const;
export type WorkflowState = (typeof WORKFLOW_STATES)[number];

export const WORKFLOW_SORTS = ["created", "updated", "name"] as const;
export type WorkflowSort = (typeof WORKFLOW_SORTS)[number];

/** decisions, Workflows: the valid tags. */
export const TAG_PATTERN = /^[\p{L}\p{N}][\p{L}\p{N} _.:/-]{0,31}$/u;
export const TAGS_MAX = 10;

/** An error prevents publishing; a warning names a likely mistake. */
export const PROBLEM_SEVERITIES = ["error", "warning"] as const;

/**
 * A problem of a definition. `message` explains what to do; `field` is a dotted path inside the node's data.
 */
export type GraphProblem = z.output<typeof graphProblemSchema>;

/** The differences between two input schemas (contract, Workflows and versions: which changes are breaking). */
export const SCHEMA_CHANGE_KINDS = [
  "added_optional",
  "added_required",
  "removed",
  "renamed",
  "became_required",
  "became_optional",
  "type_changed",
  "constraint_tightened",
  "constraint_loosened",
  "default_changed",
  "description_changed",
] as const;

/** One difference between two input schemas (contract, Workflows and versions: which changes are breaking). */
export type SchemaChange = z.output<typeof schemaChangeSchema>;

/** A workflow in a list. */
export type WorkflowObject = z.output<typeof workflowSchema>;

/** The runs of a workflow in the last seven days, for its row in the list. */
export type WorkflowActivity = z.output<typeof workflowActivitySchema>;

/** A step or a loop of an outline, with its place and size. */
export type OutlineBox = z.output<typeof outlineBoxSchema>;

/** A drawing in small integers, for a thumbnail: cells, counted from its upper left corner. */
export type GraphOutline = z.output<typeof graphOutlineSchema>;

/** The result for one of several workflows that were changed at once. */
export type BulkOutcome = z.output<typeof bulkOutcomeSchema>;

/** Something that an imported workflow needs but that does not exist. */
export type MissingPart = z.output<typeof missingPartSchema>;

/** A workflow with one of its definitions: the draft, or a version. */
export type WorkflowDetailObject = z.output<typeof workflowDetailSchema>;

export type DeployResult = z.output<typeof deployResultSchema>;
