import type { ActionObject, ActionStatus } from "#lib/contract/action";
import type { Page } from "#lib/contract/page";
import { type ActionRow, presentAction, SELECT_ACTIONS } from "#lib/domain/actions/present-action";
import { decodeCursor, toPage } from "#lib/platform/db/page-cursor";
import { db } from "#lib/platform/db/pool";

interface ActionFilters {
  workspaceId: string;
  status: ActionStatus | "all";
  /** Part of the slug, the name or the description, whatever its case. */
  q?: string | undefined;
  order: "asc" | "desc";
  /** A key limited to some actions sees those alone; null is all. */
  actionSlugs: readonly string[] | null;
}

/**
 * The published actions of a workspace.
 * @throws ApiError BAD_REQUEST for a cursor of another list
 */
export async function listActions(
  filters: ActionFilters,
  page: { limit: number; cursor?: string | undefined },
): Promise<Page<ActionObject>> {
  const bound = { list: "actions", ...filters };
  const after = page.cursor === undefined ? null : decodeCursor(page.cursor, bound);
  const [sign, order] = filters.order === "asc" ? [">", "asc"] : ["<", "desc"];
  const { rows } = await db().query<ActionRow>({
    name: `list_actions_${order}`,
    text: `${SELECT_ACTIONS}
           where a.workspace_id = $1 and ($2 = 'all' or a.status = $2) and ($3::text[] is null or a.slug = any($3))
             and ($4::text is null or a.slug ilike $4 or w.name ilike $4 or w.description ilike $4)
             and ($5::timestamptz is null or (a.created_at, a.id) ${sign} ($5, $6))
           order by a.created_at ${order}, a.id ${order} limit $7`,
    values: [
      filters.workspaceId,
      filters.status,
      filters.actionSlugs,
      filters.q === undefined ? null : `%${filters.q.replace(/[\\%_]/g, "\\$&")}%`,
      after?.createdAt ?? null,
      after?.id ?? null,
      page.limit + 1,
    ],
  });
  const keysetOf = (row: ActionRow) => ({ createdAt: row.created_at, id: row.id });
  return toPage(rows, page.limit, bound, keysetOf, presentAction);
}
