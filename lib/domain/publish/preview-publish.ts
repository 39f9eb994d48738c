import type { PublishPreview } from "#lib/contract/action/publish";
import type { Definition } from "#lib/contract/workflow/graph";
import type { WorkflowDetailObject } from "#lib/contract/workflow/workflow";
import { isError } from "#lib/core/graph/checks/problem";
import { warnSecrets } from "#lib/core/graph/checks/typed-secrets";
import { compareDefinitions } from "#lib/core/graph/compare/compare-definitions";
import { outputChanges } from "#lib/core/graph/compare/output-changes";
import { schemaChanges } from "#lib/core/graph/compare/schema-changes";
import { deriveInputSchema, deriveOutputSchema } from "#lib/core/steps/derive-schemas";
import { findAffectedCallers } from "#lib/domain/publish/find-affected-callers";
import { findPublished } from "#lib/domain/publish/find-published";
import { rereadTools } from "#lib/domain/publish/reread-tools";
import { getDefinition } from "#lib/domain/workflows/get-definition";
import { getWorkflow } from "#lib/domain/workflows/get-workflow";
import { db } from "#lib/platform/db/pool";

/**
 * Returns what publishing the draft, or an earlier version, would change, the problems it would meet, and the callers
 * that would break, without changing anything.
 * @throws ApiError NOT_FOUND
 */
export async function previewPublish(
  workspaceId: string,
  workflowId: string,
  version?: number,
): Promise<PublishPreview> {
  await rereadTools(workspaceId, workflowId, version ?? "draft");
  const workflow = await getWorkflow(workspaceId, workflowId, version ?? "draft");
  return {
    source: workflow.shown,
    draft_revision: workflow.draft_revision,
    type: workflow.type,
    problems: workflow.problems.filter(isError),
    warnings: [...workflow.problems.filter((problem) => !isError(problem)), ...warnSecrets(workflow.definition)],
    deployed_version: workflow.deployed_version,
    next_version: (workflow.versions[0]?.version ?? 0) + 1,
    action: workflow.action,
    ...(await previewSchemas(workspaceId, workflow)),
    ...(await previewGraph(workspaceId, workflow)),
  };
}

async function previewSchemas(workspaceId: string, { workflow_id: workflowId, definition }: WorkflowDetailObject) {
  const action = await findPublished(db(), workspaceId, workflowId);
  const before = action?.inputSchema ?? null;
  const after = deriveInputSchema(definition);
  const changes = before === null ? [] : schemaChanges(before, after);
  const isBreaking = changes.some((change) => change.breaking);
  return {
    input_before: before,
    input_after: after,
    output_after: deriveOutputSchema(definition),
    changes,
    report:
      action !== null && before !== null && isBreaking
        ? await findAffectedCallers(db(), { workspaceId, workflowId, slug: action.slug, before, after, changes })
        : null,
  };
}

async function previewGraph(workspaceId: string, workflow: WorkflowDetailObject) {
  if (workflow.deployed_version === null) return { graph: null, output_changes: [] };
  const deployed = await getDefinition(workspaceId, workflow.workflow_id, "deployed");
  return compareGraphs(deployed.definition, workflow.definition);
}

function compareGraphs(before: Definition, after: Definition): Pick<PublishPreview, "graph" | "output_changes"> {
  return {
    graph: compareDefinitions(before, after),
    output_changes: outputChanges(deriveOutputSchema(before), deriveOutputSchema(after)),
  };
}
