import type { VersionComparison } from "#lib/contract/publish";
import { compareDefinitions } from "#lib/graph/compare-definitions";
import { deriveInputSchema, deriveOutputSchema } from "#lib/graph/derive-schemas";
import { outputChanges } from "#lib/graph/output-changes";
import { schemaChanges } from "#lib/graph/schema-changes";
import { getDefinition } from "#lib/workflows/get-definition";
import { openWorkflow } from "#lib/workflows/open-workflow";

/** How one version of a workflow became another, or the draft. @throws ApiError NOT_FOUND */
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
    // An event_driven workflow takes no input: nobody calls it.
    changes: schemaChanges(deriveInputSchema(before.definition), deriveInputSchema(after.definition)),
    output_changes: outputChanges(deriveOutputSchema(before.definition), deriveOutputSchema(after.definition)),
    graph: compareDefinitions(before.definition, after.definition),
  };
}
