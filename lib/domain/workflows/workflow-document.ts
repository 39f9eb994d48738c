import type { GraphNode } from "#lib/contract/workflow/graph";
import { maskDefinition } from "#lib/core/graph/checks/typed-secrets";
import { WORKFLOW_FORMAT, WORKFLOW_FORMAT_VERSION, type WorkflowDocument } from "#lib/core/graph/imported-document";
import { maskCredentials } from "#lib/core/redaction/find-credentials";
import type { ShownVersion } from "#lib/domain/workflows/get-definition";
import { getWorkflow } from "#lib/domain/workflows/get-workflow";
import { prisma } from "#lib/platform/db/prisma";
import { UUID_PATTERN } from "#lib/support/ids";

/**
 * Returns a workflow's draft, or one of its versions, as a document. It contains no secret and no credential: secrets
 * are left out and named or masked, in notes too, and connections are given by connector and name.
 * @throws ApiError NOT_FOUND
 */
export async function exportWorkflow(
  workspaceId: string,
  workflowId: string,
  version: ShownVersion = "draft",
): Promise<WorkflowDocument> {
  const workflow = await getWorkflow(workspaceId, workflowId, version);
  const { name, description, definition: typed, notes = [], orientation = "vertical" } = workflow;
  const definition = maskDefinition(typed);
  const secrets = definition.nodes.filter(hasSecret).map((node) => node.id);
  const connections = await findConnections(workspaceId, definition.nodes);
  return {
    format: WORKFLOW_FORMAT,
    format_version: WORKFLOW_FORMAT_VERSION,
    name,
    description,
    definition: { ...definition, nodes: definition.nodes.map(withoutSecret) },
    ...(connections.length > 0 ? { connections } : {}),
    ...(secrets.length > 0 ? { secrets } : {}),
    ...(notes.length > 0 ? { notes: maskCredentials(notes) } : {}),
    ...(orientation === "vertical" ? {} : { orientation }),
  };
}

function hasSecret(node: GraphNode): boolean {
  return node.type === "trigger" && typeof node.data.secret === "string" && node.data.secret !== "";
}

function withoutSecret(node: GraphNode): GraphNode {
  if (!hasSecret(node)) return node;
  const { secret: _, ...data } = node.data;
  return { ...node, data };
}

/** The ids of the connections that steps use. */
export function connectionIdsOf(nodes: readonly GraphNode[]): string[] {
  const ids = nodes.flatMap(({ data: { connection_id: id } }) => (typeof id === "string" && id !== "" ? [id] : []));
  return [...new Set(ids)];
}

async function findConnections(workspaceId: string, nodes: readonly GraphNode[]) {
  const ids = connectionIdsOf(nodes).filter((id) => UUID_PATTERN.test(id));
  if (ids.length === 0) return [];
  return prisma().connection.findMany({
    where: { workspaceId, id: { in: ids } },
    select: { id: true, connector: true, name: true },
    orderBy: { name: "asc" },
  });
}
