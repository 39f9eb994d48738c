import type { NodeType } from "#lib/contract/graph";
import type { InputSchema, OutputSchema } from "#lib/contract/json-schema";
import type { GraphProblem, SchemaChange, WorkflowObject, WorkflowType } from "#lib/contract/workflow";

/** What a change of the input schema does to a field that a caller sends, or does not send. */
export interface AffectedField {
  field: string;
  /** Refused: the call would get 400. Ignored: it would run, but nothing reads the field any more. */
  effect: "refused" | "ignored";
  /** Of the sampled calls. */
  calls: number;
  message: string;
  /** The newest of them; null where it is known from the published step alone. */
  run_id: string | null;
  /** The step of a workflow from which it is known. */
  step?: { id: string; name: string };
}

/**
 * A key or a person that called the action lately, or another workflow that runs it as a published step, and what of it
 * a new schema would refuse or ignore.
 */
export interface AffectedCaller {
  kind: "key" | "person" | "workflow";
  id: string;
  name: string;
  /** Of a key. */
  prefix: string | null;
  /** Calls in the period; `has_more` when there were more than were counted. */
  calls: number;
  has_more: boolean;
  /** Null for a workflow that has not called it in the period. */
  last_call_at: string | null;
  /** How many of the newest calls were checked against the new schema. */
  sampled: number;
  refused: number;
  ignored: number;
  fields: AffectedField[];
}

export interface CallerReport {
  days: number;
  /** At most so many of each caller's newest calls are checked. */
  sampled_per_caller: number;
  /** Those who break first. */
  callers: AffectedCaller[];
}

/** One field of a step's configuration, before and after. */
export interface FieldChange {
  /** Dotted, inside the node's data. */
  field: string;
  /** Undefined where it was not there. */
  was?: unknown;
  now?: unknown;
}

export interface ChangedNode {
  node_id: string;
  type: NodeType;
  name: string;
  fields: FieldChange[];
}

/** How two definitions differ; where steps stand on the canvas does not count. */
export interface GraphChanges {
  added: Omit<ChangedNode, "fields">[];
  removed: Omit<ChangedNode, "fields">[];
  changed: ChangedNode[];
  lines_added: number;
  lines_removed: number;
}

/** A difference between two output schemas: for information, since callers only read it. */
export interface OutputChange {
  field: string;
  kind: "added" | "removed" | "type_changed";
  was: string | null;
  now: string | null;
}

/** What the deploy dialog shows before anything is published. */
export interface PublishPreview {
  /** What would be published: the draft, or an earlier version again. */
  source: "draft" | number;
  draft_revision: number;
  type: WorkflowType;
  problems: GraphProblem[];
  /** Null at the first publish. */
  deployed_version: number | null;
  /** The number it would get. */
  next_version: number;
  action: WorkflowObject["action"];
  /** Null before the first publish and for event_driven workflows. */
  input_before: InputSchema | null;
  input_after: InputSchema;
  output_after: OutputSchema | null;
  changes: SchemaChange[];
  output_changes: OutputChange[];
  /** Null at the first publish. */
  graph: GraphChanges | null;
  /** Null while no change is breaking. */
  report: CallerReport | null;
}

/** Two versions of a workflow, or a version and the draft, side by side. */
export interface VersionComparison {
  from: number;
  to: "draft" | number;
  changes: SchemaChange[];
  output_changes: OutputChange[];
  graph: GraphChanges;
}
