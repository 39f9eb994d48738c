import { type ApprovalPolicy, SLUG_PATTERN } from "#lib/contract/action";
import { ApiError } from "#lib/contract/api-error";
import type { DeployResult, SchemaChange } from "#lib/contract/workflow";
import { SLUG_RULE, slugTakenMessage } from "#lib/domain/publish/check-slug";
import type { PublishedAction } from "#lib/domain/publish/find-published";
import type { Db } from "#lib/platform/db/pool";
import { uuidv7 } from "#lib/support/ids";

interface Release {
  workspaceId: string;
  workflowId: string;
  versionId: string;
  version: number;
  changes: SchemaChange[];
  deployedBy: string | null;
  /** As the publisher typed it; needed at the first publish only. */
  slug: string | undefined;
  approvalPolicy: ApprovalPolicy | undefined;
}

/**
 * Points a workflow's action at a new version, and creates it at the first publish. A paused or archived action keeps
 * its status: publishing is not a way around it.
 * @throws ApiError BAD_REQUEST for a slug that is missing, malformed or another than before; SLUG_TAKEN
 */
export async function releaseAction(
  tx: Db,
  existing: PublishedAction | null,
  release: Release,
): Promise<NonNullable<DeployResult["action"]>> {
  const action = existing ?? (await createAction(tx, release));
  const releaseId = uuidv7();
  await tx.query({
    text: `insert into action_releases (id, workspace_id, action_id, workflow_version_id, version, breaking, changes, deployed_by)
           values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    values: [
      releaseId,
      release.workspaceId,
      action.id,
      release.versionId,
      release.version,
      release.changes.some((change) => change.breaking),
      JSON.stringify(release.changes),
      release.deployedBy,
    ],
  });
  const { rows } = await tx.query<Pick<PublishedAction, "slug" | "status"> & { approval_policy: ApprovalPolicy }>({
    text: `update actions set current_release_id = $3, approval_policy = coalesce($4, approval_policy), updated_at = now()
           where workspace_id = $1 and id = $2 returning slug, status, approval_policy`,
    values: [release.workspaceId, action.id, releaseId, release.approvalPolicy ?? null],
  });
  const row = rows[0];
  if (!row) throw new Error(`action ${action.id} went away while it was published`);
  return { ...row, release_version: release.version };
}

/** @throws ApiError BAD_REQUEST, SLUG_TAKEN */
export function assertSlugFits(existing: PublishedAction | null, slug: string | undefined): void {
  if (existing === null && slug === undefined) {
    throw wrongSlug("is required at the first publish: it is the action's name for its callers, for good");
  }
  if (slug !== undefined && !SLUG_PATTERN.test(slug)) throw wrongSlug(SLUG_RULE);
  if (existing !== null && slug !== undefined && slug !== existing.slug) {
    throw wrongSlug(`this workflow is published as ${existing.slug}, and a slug never changes`);
  }
}

async function createAction(tx: Db, release: Release): Promise<{ id: string }> {
  const id = uuidv7();
  const { rowCount } = await tx.query({
    text: `insert into actions (id, workspace_id, workflow_id, slug) values ($1, $2, $3, $4)
           on conflict (workspace_id, slug) do nothing`,
    values: [id, release.workspaceId, release.workflowId, release.slug],
  });
  if (rowCount !== 1) throw new ApiError("SLUG_TAKEN", slugTakenMessage(release.slug ?? ""));
  return { id };
}

function wrongSlug(message: string): ApiError {
  const details = [{ field: "slug", pointer: "/slug", code: "invalid_slug", message }];
  return new ApiError("BAD_REQUEST", `slug: ${message}`, { details });
}
