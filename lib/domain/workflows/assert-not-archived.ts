import { ApiError } from "#lib/contract/error/api-error";
import type { LockedWorkflow } from "#lib/domain/workflows/lock-workflow";

export function workflowArchived(): ApiError {
  return new ApiError("BAD_REQUEST", "This workflow is archived. Restore it first.");
}

/**
 * Refuses to publish or start an archived workflow.
 * @throws ApiError BAD_REQUEST
 */
export function assertNotArchived(workflow: Pick<LockedWorkflow, "isArchived">): void {
  if (workflow.isArchived) throw workflowArchived();
}
