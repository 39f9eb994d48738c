import type { GraphEdge, GraphNode } from "#lib/contract/graph";
import type { GraphOutline } from "#lib/contract/workflow";
import { outlineGraph } from "#lib/core/graph/outline-graph";
import { db } from "#lib/platform/db/pool";

interface SkeletonRow {
  workflow_id: string;
  nodes: [GraphNode["id"], GraphNode["type"], GraphNode["position"], string | null][];
  edges: [GraphEdge["source"], GraphEdge["target"]][];
}

/**
 * The drawings of some drafts in small. What their steps are set to stays in Postgres: of a large draft a few kilobytes
 * leave it. What the workspace does not have is left out.
 */
export async function listWorkflowOutlines(
  workspaceId: string,
  workflowIds: readonly string[],
): Promise<{ data: ({ workflow_id: string } & GraphOutline)[] }> {
  const { rows } = await db().query<SkeletonRow>({
    name: "list_workflow_outlines",
    text: `select w.id as workflow_id,
             (select coalesce(jsonb_agg(jsonb_build_array(n->'id', n->'type', n->'position', n->'parentId')), '[]')
              from jsonb_array_elements(w.draft->'nodes') n) as nodes,
             (select coalesce(jsonb_agg(jsonb_build_array(e->'source', e->'target')), '[]')
              from jsonb_array_elements(w.draft->'edges') e) as edges
           from workflows w
           where w.workspace_id = $1 and w.id = any($2::uuid[]) and w.deleted_at is null`,
    values: [workspaceId, workflowIds],
  });
  return { data: rows.map((row) => ({ workflow_id: row.workflow_id, ...outlineGraph(readSkeleton(row)) })) };
}

function readSkeleton({ nodes, edges }: SkeletonRow): Parameters<typeof outlineGraph>[0] {
  return {
    nodes: nodes.map(([id, type, position, parentId]) => ({
      ...{ id, type, position },
      ...(parentId === null ? {} : { parentId }),
    })),
    edges: edges.map(([source, target]) => ({ source, target })),
  };
}
