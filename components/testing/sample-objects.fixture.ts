import type { ConnectionObject } from "#lib/contract/connection/connection";
import type { RunObject } from "#lib/contract/run/run";
import type { WorkflowObject } from "#lib/contract/workflow/workflow";

const MOMENT = "2026-01-05T09:00:00.000Z";

export const CONNECTION: ConnectionObject = {
  connection_id: "55555555-5555-4555-8555-555555555555",
  connector: "http",
  name: "Shop",
  auth: "bearer",
  signs_in: false,
  status: "connected",
  last_error: null,
  ends_at: null,
  settings: {},
  secret_hints: {},
  origins: [],
  listeners: [],
  used_by: [],
  created_by: "Ann",
  created_at: MOMENT,
  updated_at: MOMENT,
  last_used_at: null,
};

export const WORKFLOW: WorkflowObject = {
  workflow_id: "66666666-6666-4666-8666-666666666666",
  name: "Refunds",
  description: null,
  type: "callable",
  tags: ["billing"],
  owner: "Ann",
  draft_revision: 1,
  deployed_version: null,
  has_unpublished_changes: false,
  action: null,
  trigger: null,
  last_run: null,
  created_at: MOMENT,
  updated_at: MOMENT,
  archived_at: null,
};

export const RUN: RunObject = {
  run_id: "99999999-9999-4999-8999-999999999999",
  action_slug: "refund",
  action_release_version: 1,
  source: "action",
  status: "failed",
  input: { amount: 5 },
  output: null,
  error: null,
  steps: [],
  approval: null,
  dry_run: false,
  correlation_id: "99999999-9999-4999-8999-999999999999",
  workflow_id: WORKFLOW.workflow_id,
  workflow_version_id: null,
  resume_from_run_id: null,
  started_at: MOMENT,
  completed_at: MOMENT,
  duration_ms: 10,
  created_at: MOMENT,
};
