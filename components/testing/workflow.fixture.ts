import type { WorkflowObject } from "#lib/contract/workflow/workflow";
import { idOf } from "@/components/testing/page.fixture";
import { WORKFLOW } from "@/components/testing/sample-objects.fixture";

type Action = NonNullable<WorkflowObject["action"]>;

/** Returns a draft that was never published. */
export function sampleWorkflow(changes: Partial<WorkflowObject> = {}): WorkflowObject {
  return { ...WORKFLOW, workflow_id: idOf(1), tags: [], ...changes };
}

/** Returns a workflow that agents call. */
export function callableWorkflow(changes: Partial<WorkflowObject> = {}, action: Partial<Action> = {}): WorkflowObject {
  return sampleWorkflow({
    deployed_version: 3,
    action: { slug: "refund", status: "active", approval_policy: "never", ...action },
    ...changes,
  });
}
