import { ApiError } from "#lib/contract/error/api-error";
import type { BulkOutcome } from "#lib/contract/workflow/workflow";

/**
 * Changes one workflow after the other, each in its own transaction: a refusal is reported with its workflow and does
 * not stop the others.
 */
export async function changeMany(
  workflowIds: readonly string[],
  change: (workflowId: string) => Promise<{ name: string }>,
): Promise<{ data: BulkOutcome[] }> {
  const data: BulkOutcome[] = [];
  for (const workflowId of new Set(workflowIds)) {
    try {
      const { name } = await change(workflowId);
      data.push({ workflow_id: workflowId, name, error: null });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      data.push({ workflow_id: workflowId, name: "", error: error.message });
    }
  }
  return { data };
}
