import type { VersionComparison } from "#lib/contract/action/publish";
import { compareDefinitions } from "#lib/core/graph/compare/compare-definitions";
import { outputChanges } from "#lib/core/graph/compare/output-changes";
import { schemaChanges } from "#lib/core/graph/compare/schema-changes";
import { deriveInputSchema, deriveOutputSchema } from "#lib/core/steps/derive-schemas";
import { getDefinition } from "#lib/domain/workflows/get-definition";
import { openWorkflow } from "#lib/domain/workflows/open-workflow";

/**
 * Compares one version of a workflow with another, or with the draft.
 * @throws ApiError NOT_FOUND
 */
export async function compareVersions(
  workspaceId: string,
  workflowId: string,
  from: number,
  to: number | "draft",
): Promise<VersionComparison> {
  await openWorkflow(workspaceId, workflowId);
  const before = await getDefinition(workspaceId, workflowId, from);
  const after = await getDefinition(workspaceId, workflowId, to);
  return {
    from,
    to,
    // An event_driven workflow has no callers and takes no input.
    changes: schemaChanges(deriveInputSchema(before.definition), deriveInputSchema(after.definition)),
    output_changes: outputChanges(deriveOutputSchema(before.definition), deriveOutputSchema(after.definition)),
    graph: compareDefinitions(before.definition, after.definition),
  };
}
