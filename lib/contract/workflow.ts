import type { ActionStatus, ApprovalPolicy } from "#lib/contract/action";
import type { Definition } from "#lib/contract/graph";
import type { InputSchema, OutputSchema } from "#lib/contract/json-schema";
import type { RunStatus } from "#lib/contract/run";
import type { DeliveryVerdict, TriggerKind, TriggerStatus } from "#lib/contract/trigger";

/** contract, Workflow. */
export const WORKFLOW_TYPES = ["event_driven", "callable"] as const;
export type WorkflowType = (typeof WORKFLOW_TYPES)[number];

/** contract, Workflow version. */
export const VERSION_STATUSES = ["deployed", "archived"] as const;
export type VersionStatus = (typeof VERSION_STATUSES)[number];

/** contract, Errors: word for word what publishing can be refused with; the trigger's sentence is ours, in its form. */
export const PUBLISH_MESSAGES = {
  actionInput: "Callable workflow must have exactly 1 Action Input node",
  returnOutput: "Callable workflow must have at least 1 Return Output node",
  trigger: "An event_driven workflow must have exactly 1 Trigger node",
} as const;

/** What stands in the way of publishing. `message` says what to do; `field` is a dotted path inside the node's data. */
export interface GraphProblem {
  code: string;
  message: string;
  node_id?: string;
  edge_id?: string;
  field?: string;
}

/** One difference between two input schemas (contract, Derived schemas: which changes are breaking). */
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
}

/** A workflow with one of its definitions: the draft, or a version. */
export interface WorkflowDetailObject extends WorkflowObject {
  /** "draft", or the version's number. */
  shown: "draft" | number;
  definition: Definition;
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
