import type { ActionStatus, ApprovalPolicy } from "#lib/contract/action";
import type { CanvasNote } from "#lib/contract/canvas-note";
import type { Definition, StepCategory } from "#lib/contract/graph";
import type { InputSchema, OutputSchema } from "#lib/contract/json-schema";
import type { RunStatus } from "#lib/contract/run";
import type { DeliveryVerdict, TriggerKind, TriggerStatus } from "#lib/contract/trigger";

/** contract, Workflows and versions. */
export const WORKFLOW_TYPES = ["event_driven", "callable"] as const;
export type WorkflowType = (typeof WORKFLOW_TYPES)[number];

/** contract, Workflows and versions. */
export const VERSION_STATUSES = ["deployed", "archived"] as const;
export type VersionStatus = (typeof VERSION_STATUSES)[number];

/** contract, Errors: word for word what publishing can be refused with; the trigger's sentence is ours, in its form. */
export const PUBLISH_MESSAGES = {
  actionInput: "Callable workflow must have exactly 1 Action Input node",
  returnOutput: "Callable workflow must have at least 1 Return Output node",
  trigger: "An event_driven workflow must have exactly 1 Trigger node",
} as const;

/** What a list of workflows can be narrowed to: `live` has a version, `changed` has one that the draft differs from. */
export const WORKFLOW_STATES = ["draft", "live", "changed", "archived"] as const;
export type WorkflowState = (typeof WORKFLOW_STATES)[number];

export const WORKFLOW_SORTS = ["created", "updated", "name"] as const;
export type WorkflowSort = (typeof WORKFLOW_SORTS)[number];

/** decisions, Workflows: what a tag may be. */
export const TAG_PATTERN = /^[\p{L}\p{N}][\p{L}\p{N} _.:/-]{0,31}$/u;
export const TAGS_MAX = 10;

/** What stands in the way of publishing. `message` says what to do; `field` is a dotted path inside the node's data. */
export interface GraphProblem {
  code: string;
  message: string;
  node_id?: string;
  edge_id?: string;
  field?: string;
}

/** One difference between two input schemas (contract, Workflows and versions: which changes are breaking). */
export interface SchemaChange {
  field: string;
  kind:
    | "added_optional"
    | "added_required"
    | "removed"
    | "renamed"
    | "became_required"
    | "became_optional"
    | "type_changed"
    | "constraint_tightened"
    | "constraint_loosened"
    | "default_changed"
    | "description_changed";
  breaking: boolean;
  message: string;
  /** What a renamed field is called now. */
  new_field?: string;
}

/** A workflow in a list. */
export interface WorkflowObject {
  workflow_id: string;
  name: string;
  description: string | null;
  type: WorkflowType;
  tags: string[];
  /** Who made it; null where that is nobody known. */
  owner: string | null;
  draft_revision: number;
  /** The number of the deployed version; null before the first publish. */
  deployed_version: number | null;
  /** True when the draft differs from the deployed version. */
  has_unpublished_changes: boolean;
  action: { slug: string; status: ActionStatus; approval_policy: ApprovalPolicy } | null;
  /** What starts it, once it was activated; null for callable workflows. `next_at` and the like are of a schedule. */
  trigger: {
    kind: TriggerKind;
    status: TriggerStatus;
    next_at: string | null;
    last_delivery: { verdict: DeliveryVerdict; received_at: string } | null;
  } | null;
  last_run: { run_id: string; status: RunStatus; created_at: string } | null;
  created_at: string;
  updated_at: string;
  /** Archived workflows are listed only where they are asked for; nothing starts them. */
  archived_at: string | null;
}

/** The runs of a workflow in the last seven days, for its row in the list. */
export interface WorkflowActivity {
  workflow_id: string;
  /** Runs per day, UTC, the oldest first; a day counts no further than `counted_max`. */
  days: number[];
}

/** A step or a loop of an outline, with its place and size. */
export type OutlineBox = [
  x: number,
  y: number,
  width: number,
  height: number,
  category: StepCategory,
  is_frame: boolean,
];

/** A drawing in small whole numbers, for a thumbnail: cells, counted from its upper left corner. */
export interface GraphOutline {
  width: number;
  height: number;
  /** The frames of loops before all cards. */
  boxes: OutlineBox[];
  /** From one box to another, by their places in `boxes`. */
  lines: [from: number, to: number][];
}

/** What became of one of several workflows that were changed at once. */
export interface BulkOutcome {
  workflow_id: string;
  name: string;
  /** Null where it was done. */
  error: string | null;
}

/** What an imported workflow needs that is not there. */
export interface MissingPart {
  node_id: string;
  kind: "connection" | "secret" | "action";
  message: string;
}

/** A workflow with one of its definitions: the draft, or a version. */
export interface WorkflowDetailObject extends WorkflowObject {
  /** "draft", or the version's number. */
  shown: "draft" | number;
  definition: Definition;
  /** Of the draft, for people alone: what they wrote beside its steps. Absent for versions and for agents. */
  notes?: CanvasNote[];
  /** Of the definition shown; empty means it can be published. */
  problems: GraphProblem[];
  /** The deployed version's, fixed at publish; null before the first publish and for event_driven workflows. */
  input_schema: InputSchema | null;
  output_schema: OutputSchema | null;
  /** The newest first. `published_by` is a person's name; null where nobody is known. */
  versions: {
    version: number;
    status: VersionStatus;
    created_at: string;
    note: string | null;
    published_by: string | null;
  }[];
}

export interface DeployResult {
  workflow_id: string;
  version: number;
  status: VersionStatus;
  /** Null for an event_driven workflow. */
  action: { slug: string; status: ActionStatus; approval_policy: ApprovalPolicy; release_version: number } | null;
  breaking_changes: SchemaChange[];
}
