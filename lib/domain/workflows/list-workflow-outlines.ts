import type { GraphEdge, GraphNode } from "#lib/contract/workflow/graph";
import type { GraphOutline } from "#lib/contract/workflow/workflow";
import { outlineGraph } from "#lib/core/graph/outline-graph";
import { array, json, type RowOf, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";

const SKELETON_ROW = {
  workflow_id: uuid,
  nodes: json<[GraphNode["id"], GraphNode["type"], GraphNode["position"], string | null][]>(),
  edges: json<[GraphEdge["source"], GraphEdge["target"]][]>(),
};

const selectSkeletons = defineStatement({
  name: "list_workflow_outlines",
  params: { workspaceId: uuid, workflowIds: array(uuid) },
  row: SKELETON_ROW,
  sql: `select w.id as workflow_id,
          (select coalesce(json_agg(json_build_array(n->'id', n->'type', n->'position', n->'parentId')), '[]')
           from json_array_elements(w.draft->'nodes') n) as nodes,
          (select coalesce(json_agg(json_build_array(e->'source', e->'target')), '[]')
           from json_array_elements(w.draft->'edges') e) as edges
        from workflows w
        where w.workspace_id = $1 and w.id = any($2::uuid[]) and w.deleted_at is null`,
});

/**
 * Returns outlines of some drafts for thumbnails. The settings of their steps stay in PostgreSQL, so a large draft
 * costs only a few kilobytes. Workflows that the workspace does not have are left out.
 */
export async function listWorkflowOutlines(
  workspaceId: string,
  workflowIds: readonly string[],
): Promise<{ data: ({ workflow_id: string } & GraphOutline)[] }> {
  const rows = await selectSkeletons.all(db(), { workspaceId, workflowIds });
  return { data: rows.map((row) => ({ workflow_id: row.workflow_id, ...outlineGraph(readSkeleton(row)) })) };
}

function readSkeleton({ nodes, edges }: RowOf<typeof SKELETON_ROW>): Parameters<typeof outlineGraph>[0] {
  return {
    nodes: nodes.map(([id, type, position, parentId]) => ({
      id,
      type,
      position,
      ...(parentId === null ? {} : { parentId }),
    })),
    edges: edges.map(([source, target]) => ({ source, target })),
  };
}
