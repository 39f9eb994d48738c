import { SLUG_PATTERN } from "#lib/contract/action/action";
import { workflowNotFound } from "#lib/domain/workflows/workflow-not-found";
import { nullable, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";

export const SLUG_RULE = "Use lowercase letters, digits and inner hyphens, at most 64 characters.";

export function slugTakenMessage(slug: string): string {
  return `The slug ${slug} belongs to another workflow and stays reserved for it.`;
}

const selectOwners = defineStatement({
  name: "check_slug",
  params: { workspaceId: uuid, workflowId: uuid, slug: text },
  row: { own_slug: nullable(text), owner_id: nullable(uuid) },
  sql: `select own.slug as own_slug, other.workflow_id as owner_id
        from workflows w
        left join actions own on own.workspace_id = w.workspace_id and own.workflow_id = w.id
        left join actions other on other.workspace_id = w.workspace_id and other.slug = $3 and other.workflow_id <> w.id
        where w.workspace_id = $1 and w.id = $2 and w.deleted_at is null`,
  isPrepared: false,
});

/**
 * Checks whether a workflow can be published under a slug. Publishing decides again, in its own transaction.
 * @throws ApiError NOT_FOUND
 */
export async function checkSlug(
  workspaceId: string,
  workflowId: string,
  slug: string,
): Promise<{ available: boolean; message: string | null }> {
  const row = await selectOwners.first(db(), { workspaceId, workflowId, slug });
  if (!row) throw workflowNotFound();
  if (!SLUG_PATTERN.test(slug)) return { available: false, message: SLUG_RULE };
  if (row.owner_id !== null) return { available: false, message: slugTakenMessage(slug) };
  if (row.own_slug !== null && row.own_slug !== slug) {
    return { available: false, message: `This workflow is published as ${row.own_slug}, and its slug cannot change.` };
  }
  return { available: true, message: null };
}
