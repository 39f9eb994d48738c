import type { Page } from "#lib/contract/page";
import type { WorkflowObject, WorkflowType } from "#lib/contract/workflow";
import { decodeCursor, toPage } from "#lib/db/page-cursor";
import { db } from "#lib/db/pool";
import { presentWorkflow, SELECT_WORKFLOWS, type WorkflowRow } from "#lib/workflows/workflow-row";

interface WorkflowFilters {
  /** Part of the name, in any case. */
  q?: string | undefined;
  type?: WorkflowType | undefined;
  order: "asc" | "desc";
}

/** One page of a workspace's workflows, by creation (decisions, Lists). */
export async function listWorkflows(
  workspaceId: string,
  filters: WorkflowFilters,
  page: { limit: number; cursor?: string | undefined },
): Promise<Page<WorkflowObject>> {
  const bound = { list: "workflows", workspaceId, ...filters };
  const after = page.cursor === undefined ? null : decodeCursor(page.cursor, bound);
  const [direction, comparison] = filters.order === "asc" ? ["asc", ">"] : ["desc", "<"];
  const { rows } = await db().query<WorkflowRow>({
    text: `${SELECT_WORKFLOWS} and w.workspace_id = $1
             and ($2::text is null or w.name ilike '%' || $2 || '%')
             and ($3::text is null or w.type = $3)
             and ($4::timestamptz is null or (w.created_at, w.id) ${comparison} ($4, $5::uuid))
           order by w.created_at ${direction}, w.id ${direction} limit $6`,
    values: [
      workspaceId,
      filters.q?.replace(/[\\%_]/g, "\\$&") ?? null,
      filters.type ?? null,
      after?.createdAt ?? null,
      after?.id ?? null,
      page.limit + 1,
    ],
  });
  return toPage(rows, page.limit, bound, (row) => ({ createdAt: row.created_at, id: row.id }), presentWorkflow);
}
