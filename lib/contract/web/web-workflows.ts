import type { ApprovalPolicy } from "#lib/contract/action";
import type { CanvasNote } from "#lib/contract/canvas-note";
import type { Definition } from "#lib/contract/graph";
import type { JsonObject } from "#lib/contract/json-schema";
import type { Page } from "#lib/contract/page";
import type { PublishPreview, VersionComparison } from "#lib/contract/publish";
import type { RunObject } from "#lib/contract/run";
import type { TemplateObject } from "#lib/contract/template";
import type {
  BulkOutcome,
  DeployResult,
  GraphOutline,
  MissingPart,
  WorkflowActivity,
  WorkflowDetailObject,
  WorkflowDocument,
  WorkflowObject,
  WorkflowSort,
  WorkflowState,
  WorkflowType,
} from "#lib/contract/workflow";

/** What the browser asks of workflows: their lists, drafts, versions and publishing. */
export interface WorkflowOperations {
  list_workflows: {
    input: {
      q?: string;
      type?: WorkflowType;
      state?: WorkflowState;
      tag?: string;
      sort?: WorkflowSort;
      order?: "asc" | "desc";
      limit?: number;
      cursor?: string;
    };
    output: Page<WorkflowObject>;
  };
  list_workflow_activity: {
    input: { workflow_ids: string[] };
    output: { counted_max: number; data: WorkflowActivity[] };
  };
  list_workflow_outlines: {
    input: { workflow_ids: string[] };
    output: { data: ({ workflow_id: string } & GraphOutline)[] };
  };
  list_templates: { input: Record<string, never>; output: { data: readonly TemplateObject[] } };
  list_tags: { input: Record<string, never>; output: { data: { tag: string; workflows: number }[] } };
  tag_workflows: {
    input: { workflow_ids: string[]; add?: string[]; remove?: string[] };
    output: { changed: number };
  };
  archive_workflows: {
    input: { workflow_ids: string[]; archive_action?: boolean };
    output: { data: BulkOutcome[] };
  };
  restore_workflows: { input: { workflow_ids: string[] }; output: { data: BulkOutcome[] } };
  duplicate_workflow: { input: { workflow_id: string }; output: WorkflowDetailObject };
  export_workflow: { input: { workflow_id: string }; output: WorkflowDocument };
  import_workflow: {
    input: { document: WorkflowDocument };
    output: { workflow: WorkflowDetailObject; missing: MissingPart[] };
  };
  get_workflow: {
    input: { workflow_id: string; version?: number | "draft" | "deployed" };
    output: WorkflowDetailObject;
  };
  create_workflow: {
    input: { name: string; description?: string; definition?: Definition };
    output: WorkflowDetailObject;
  };
  update_workflow: {
    input: {
      workflow_id: string;
      expected_revision?: number;
      name?: string;
      description?: string;
      definition?: Definition;
    };
    output: WorkflowDetailObject;
  };
  /** What the canvas saves behind the person's back: the draft, and the notes beside it, under one revision. */
  save_draft: {
    input: {
      workflow_id: string;
      expected_revision: number;
      name?: string;
      definition?: Definition;
      notes?: CanvasNote[];
    };
    output: WorkflowDetailObject;
  };
  delete_workflow: {
    input: { workflow_id: string; archive_action?: boolean };
    output: { workflow_id: string; deleted: true };
  };
  /** Of the draft, or of an earlier version that is to be published again. */
  preview_publish: { input: { workflow_id: string; version?: number }; output: PublishPreview };
  compare_versions: {
    input: { workflow_id: string; from: number; to: number | "draft" };
    output: VersionComparison;
  };
  check_slug: { input: { slug: string; workflow_id: string }; output: { available: boolean; message: string | null } };
  deploy_workflow: {
    input: {
      workflow_id: string;
      slug?: string;
      approval_policy?: ApprovalPolicy;
      expected_revision?: number;
      allow_breaking?: boolean;
      note?: string;
      version?: number;
    };
    output: DeployResult;
  };
  /**
   * Runs the saved draft. `pinned` holds outputs by node id that are taken instead of executing the node; `until_step`
   * leaves out what is not upstream of it. Testing one step alone is until_step with everything upstream pinned.
   * `from_run_id`: the run whose shown input or outputs were taken over; what is left as shown keeps its real value.
   * `pinned_from`: the same for single pins, by node id, where they came from other runs.
   */
  test_workflow: {
    input: {
      workflow_id: string;
      input?: JsonObject;
      pinned?: Record<string, unknown>;
      until_step?: string;
      expected_revision?: number;
      from_run_id?: string;
      pinned_from?: Record<string, string>;
    };
    output: RunObject;
  };
}
