import { ACTION_STATUSES, type ActionObject, type ActionStatus } from "#lib/contract/action/action";
import type { Page } from "#lib/contract/wire/page";
import { ACTION_ROW, type ActionRow, presentAction, SELECT_ACTIONS } from "#lib/domain/actions/present-action";
import { array, bigint, enumOf, nullable, text, timestamptz, uuid } from "#lib/platform/db/column-types";
import { containingPattern } from "#lib/platform/db/containing-pattern";
import { defineStatement } from "#lib/platform/db/define-statement";
import { decodeCursor, toPage } from "#lib/platform/db/page-cursor";
import { db } from "#lib/platform/db/pool";

interface ActionFilters {
  workspaceId: string;
  status: ActionStatus | "all";
  /** A part of the slug, the name or the description, ignoring case. */
  q?: string | undefined;
  order: "asc" | "desc";
  /** The actions that a limited key may see; null means all. */
  actionSlugs: readonly string[] | null;
}

function defineList(order: "asc" | "desc") {
  return defineStatement({
    name: `list_actions_${order}`,
    params: {
      workspaceId: uuid,
      status: enumOf([...ACTION_STATUSES, "all"]),
      actionSlugs: nullable(array(text)),
      pattern: nullable(text),
      after: nullable(timestamptz),
      afterId: nullable(uuid),
      limit: bigint,
    },
    row: ACTION_ROW,
    sql: `${SELECT_ACTIONS}
          where a.workspace_id = $1 and ($2 = 'all' or a.status = $2) and ($3::text[] is null or a.slug = any($3))
            and ($4::text is null or a.slug ilike $4 or w.name ilike $4 or w.description ilike $4)
            and ($5::timestamptz is null or (a.created_at, a.id) ${order === "asc" ? ">" : "<"} ($5, $6))
          order by a.created_at ${order}, a.id ${order} limit $7`,
  });
}

const LISTS = { asc: defineList("asc"), desc: defineList("desc") };

/**
 * Lists the published actions of a workspace.
 * @throws ApiError BAD_REQUEST for a cursor of another list
 */
export async function listActions(
  filters: ActionFilters,
  page: { limit: number; cursor?: string | undefined },
): Promise<Page<ActionObject>> {
  const bound = { list: "actions", ...filters };
  const after = page.cursor === undefined ? null : decodeCursor(page.cursor, bound);
  const rows = await LISTS[filters.order].all(db(), {
    workspaceId: filters.workspaceId,
    status: filters.status,
    actionSlugs: filters.actionSlugs,
    pattern: containingPattern(filters.q),
    after: after?.createdAt ?? null,
    afterId: after?.id ?? null,
    limit: page.limit + 1,
  });
  const keysetOf = (row: ActionRow) => ({ createdAt: row.created_at, id: row.id });
  return toPage(rows, page.limit, bound, keysetOf, presentAction);
}
