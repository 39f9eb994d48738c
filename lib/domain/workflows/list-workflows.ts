import type { Page } from "#lib/contract/wire/page";
import {
  WORKFLOW_STATES,
  WORKFLOW_TYPES,
  type WorkflowObject,
  type WorkflowSort,
  type WorkflowState,
  type WorkflowType,
} from "#lib/contract/workflow/workflow";
import {
  HAS_UNPUBLISHED_CHANGES,
  presentWorkflow,
  SELECT_WORKFLOWS,
  WORKFLOW_ROW,
  type WorkflowRow,
} from "#lib/domain/workflows/workflow-row";
import { bigint, enumOf, nullable, text, timestamptz, uuid } from "#lib/platform/db/column-types";
import { containingPattern } from "#lib/platform/db/containing-pattern";
import { defineStatement } from "#lib/platform/db/define-statement";
import { decodeCursor, toPage } from "#lib/platform/db/page-cursor";
import { db } from "#lib/platform/db/pool";

interface WorkflowFilters {
  /** A part of the name, the slug or a tag, ignoring case. */
  q?: string | undefined;
  type?: WorkflowType | undefined;
  /** Archived workflows are listed only on request. */
  state?: WorkflowState | undefined;
  tag?: string | undefined;
  sort?: WorkflowSort | undefined;
  order: "asc" | "desc";
}

const SORT_KEYS: Record<WorkflowSort, string> = {
  created: "w.created_at",
  updated: "w.updated_at",
  name: "lower(w.name)",
};

const STATES: Record<WorkflowState, string> = {
  draft: "w.archived_at is null and v.id is null",
  live: "w.archived_at is null and v.id is not null",
  changed: `w.archived_at is null and v.id is not null and ${HAS_UNPUBLISHED_CHANGES}`,
  archived: "w.archived_at is not null",
};

const IS_IN_STATE = `case $8::text
  ${Object.entries(STATES)
    .map(([state, condition]) => `when '${state}' then ${condition}`)
    .join(" ")}
  else w.archived_at is null end`;

function defineList(sort: WorkflowSort, order: "asc" | "desc") {
  const key = SORT_KEYS[sort];
  // A name does not fit into a cursor, so it is read from the last row of the previous page.
  const last = sort === "name" ? "(select lower(name) from workflows where id = $5::uuid)" : "$4::timestamptz";
  return defineStatement({
    name: `list_workflows_by_${sort}_${order}`,
    params: {
      workspaceId: uuid,
      pattern: nullable(text),
      type: nullable(enumOf(WORKFLOW_TYPES)),
      after: nullable(timestamptz),
      afterId: nullable(uuid),
      limit: bigint,
      tag: nullable(text),
      state: nullable(enumOf(WORKFLOW_STATES)),
    },
    row: WORKFLOW_ROW,
    sql: `${SELECT_WORKFLOWS} and w.id = any(array(
            select w.id from workflows w
            left join workflow_versions v on v.workflow_id = w.id and v.status = 'deployed'
            left join actions a on a.workspace_id = w.workspace_id and a.workflow_id = w.id
            where w.workspace_id = $1 and w.deleted_at is null and ${IS_IN_STATE}
              and ($2::text is null or w.name ilike $2 or a.slug ilike $2
                or exists (select from unnest(w.tags) tag where tag ilike $2))
              and ($3::text is null or w.type = $3)
              and ($7::text is null or lower($7) = any(array(select lower(tag) from unnest(w.tags) tag)))
              and ($4::timestamptz is null or (${key}, w.id) ${order === "asc" ? ">" : "<"} (${last}, $5::uuid))
            order by ${key} ${order}, w.id ${order} limit $6))
          order by ${key} ${order}, w.id ${order}`,
    // Planned with the actual filters, so that PostgreSQL drops the conditions that don't apply.
    isPrepared: false,
  });
}

const defineOrders = (sort: WorkflowSort) => ({ asc: defineList(sort, "asc"), desc: defineList(sort, "desc") });
const LISTS = {
  created: defineOrders("created"),
  updated: defineOrders("updated"),
  name: defineOrders("name"),
} satisfies Record<WorkflowSort, unknown>;

/**
 * Lists one page of a workspace's workflows (decisions, Lists). The rows of the page are chosen first; what the screens
 * show next to each row, such as its last run, is read only for those.
 */
export async function listWorkflows(
  workspaceId: string,
  filters: WorkflowFilters,
  page: { limit: number; cursor?: string | undefined },
): Promise<Page<WorkflowObject>> {
  const { sort = "created", order } = filters;
  const bound = { list: "workflows", workspaceId, ...filters };
  const after = page.cursor === undefined ? null : decodeCursor(page.cursor, bound);
  const rows = await LISTS[sort][order].all(db(), {
    workspaceId,
    pattern: containingPattern(filters.q),
    type: filters.type ?? null,
    after: after?.createdAt ?? null,
    afterId: after?.id ?? null,
    limit: page.limit + 1,
    tag: filters.tag ?? null,
    state: filters.state ?? null,
  });
  const keysetOf = (row: WorkflowRow) => ({
    createdAt: sort === "updated" ? row.updated_at : row.created_at,
    id: row.id,
  });
  return toPage(rows, page.limit, bound, keysetOf, presentWorkflow);
}
