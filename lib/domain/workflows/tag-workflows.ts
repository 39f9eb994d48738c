import { ApiError } from "#lib/contract/error/api-error";
import { TAGS_MAX } from "#lib/contract/workflow/workflow";
import { array, integer, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db, transaction } from "#lib/platform/db/pool";

interface TagChange {
  workflowIds: readonly string[];
  add: readonly string[];
  remove: readonly string[];
}

const updateTags = defineStatement({
  name: "tag_workflows",
  params: { workspaceId: uuid, workflowIds: array(uuid), removed: array(text), added: array(text) },
  row: { count: integer },
  sql: `update workflows w set tags = array(
          select tag from (
            select tag from unnest(w.tags) tag where lower(tag) <> all($3::text[])
            union all select unnest($4::text[])
          ) kept order by lower(tag))
        where workspace_id = $1 and id = any($2::uuid[]) and deleted_at is null
        returning cardinality(tags) as count`,
  isPrepared: false,
});

/**
 * Adds and removes tags of workflows, all or none. Tags are compared ignoring case. Tagging is not an edit of the
 * draft, so the revision does not change.
 * @returns how many workflows were changed; ids the workspace does not have are not counted
 * @throws ApiError BAD_REQUEST if a workflow would have too many
 */
export async function tagWorkflows(workspaceId: string, change: TagChange): Promise<{ changed: number }> {
  const removed = [...change.remove, ...change.add].map((tag) => tag.toLowerCase());
  return transaction(async (tx) => {
    const { workflowIds } = change;
    const rows = await updateTags.all(tx, { workspaceId, workflowIds, removed, added: [...new Set(change.add)] });
    if (rows.some(({ count }) => count > TAGS_MAX)) {
      throw new ApiError("BAD_REQUEST", `add: a workflow has at most ${TAGS_MAX} tags`);
    }
    return { changed: rows.length };
  });
}

const selectTags = defineStatement({
  name: "list_tags",
  params: { workspaceId: uuid },
  row: { tag: text, workflows: integer },
  sql: `select min(tag) as tag, count(*)::int as workflows from workflows, unnest(tags) tag
        where workspace_id = $1 and deleted_at is null and archived_at is null
        group by lower(tag) order by 2 desc, 1 limit 100`,
  isPrepared: false,
});

/** Lists the tags in use, the most used first. */
export async function listTags(workspaceId: string): Promise<{ data: { tag: string; workflows: number }[] }> {
  return { data: await selectTags.all(db(), { workspaceId }) };
}
