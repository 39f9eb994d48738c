import { ACTION_STATUSES, APPROVAL_POLICIES, type ApprovalPolicy, SLUG_PATTERN } from "#lib/contract/action/action";
import { ApiError } from "#lib/contract/error/api-error";
import type { DeployResult, SchemaChange } from "#lib/contract/workflow/workflow";
import { SLUG_RULE, slugTakenMessage } from "#lib/domain/publish/check-slug";
import type { PublishedAction } from "#lib/domain/publish/find-published";
import { boolean, enumOf, integer, jsonb, nullable, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import type { Db } from "#lib/platform/db/pool";
import { uuidv7 } from "#lib/support/ids";

interface Release {
  workspaceId: string;
  workflowId: string;
  versionId: string;
  version: number;
  changes: SchemaChange[];
  deployedBy: string | null;
  /** As the publisher typed it; required only at the first publish. */
  slug: string | undefined;
  approvalPolicy: ApprovalPolicy | undefined;
}

const insertRelease = defineStatement({
  name: "release_action",
  params: {
    id: uuid,
    workspaceId: uuid,
    actionId: uuid,
    versionId: uuid,
    version: integer,
    isBreaking: boolean,
    changes: jsonb<SchemaChange[]>(),
    deployedBy: nullable(uuid),
  },
  sql: `insert into action_releases (id, workspace_id, action_id, workflow_version_id, version, breaking, changes, deployed_by)
        values ($1, $2, $3, $4, $5, $6, $7, $8)`,
  isPrepared: false,
});

const updateCurrentRelease = defineStatement({
  name: "set_current_release",
  params: {
    workspaceId: uuid,
    actionId: uuid,
    releaseId: uuid,
    approvalPolicy: nullable(enumOf(APPROVAL_POLICIES)),
  },
  row: { slug: text, status: enumOf(ACTION_STATUSES), approval_policy: enumOf(APPROVAL_POLICIES) },
  sql: `update actions set current_release_id = $3, approval_policy = coalesce($4, approval_policy), updated_at = now()
        where workspace_id = $1 and id = $2 returning slug, status, approval_policy`,
  isPrepared: false,
});

/**
 * Points a workflow's action at a new version, and creates the action at the first publish. A paused or archived action
 * keeps its status: publishing does not bypass a pause.
 * @throws ApiError BAD_REQUEST for a slug that is missing, malformed or different from before; SLUG_TAKEN
 */
export async function releaseAction(
  tx: Db,
  existing: PublishedAction | null,
  release: Release,
): Promise<NonNullable<DeployResult["action"]>> {
  const action = existing ?? (await createAction(tx, release));
  const releaseId = uuidv7();
  const { workspaceId, versionId, version, changes, deployedBy, approvalPolicy = null } = release;
  await insertRelease.run(tx, {
    id: releaseId,
    workspaceId,
    actionId: action.id,
    versionId,
    version,
    isBreaking: changes.some((change) => change.breaking),
    changes,
    deployedBy,
  });
  const row = await updateCurrentRelease.first(tx, { workspaceId, actionId: action.id, releaseId, approvalPolicy });
  if (!row) throw new Error(`action ${action.id} disappeared while it was published`);
  return { ...row, release_version: version };
}

/** @throws ApiError BAD_REQUEST, SLUG_TAKEN */
export function assertSlugFits(existing: PublishedAction | null, slug: string | undefined): void {
  if (existing === null && slug === undefined) {
    throw wrongSlug("is required at the first publish: callers use it as the action's permanent name");
  }
  if (slug !== undefined && !SLUG_PATTERN.test(slug)) throw wrongSlug(SLUG_RULE);
  if (existing !== null && slug !== undefined && slug !== existing.slug) {
    throw wrongSlug(`this workflow is published as ${existing.slug}, and its slug cannot change`);
  }
}

const insertAction = defineStatement({
  name: "create_action",
  params: { id: uuid, workspaceId: uuid, workflowId: uuid, slug: text },
  sql: `insert into actions (id, workspace_id, workflow_id, slug) values ($1, $2, $3, $4)
        on conflict (workspace_id, slug) do nothing`,
  isPrepared: false,
});

async function createAction(tx: Db, { workspaceId, workflowId, slug }: Release): Promise<{ id: string }> {
  if (slug === undefined) throw new Error("assertSlugFits lets no first publish pass without a slug");
  const id = uuidv7();
  const created = await insertAction.run(tx, { id, workspaceId, workflowId, slug });
  if (created !== 1) throw new ApiError("SLUG_TAKEN", slugTakenMessage(slug));
  return { id };
}

function wrongSlug(message: string): ApiError {
  const details = [{ field: "slug", pointer: "/slug", code: "invalid_slug", message }];
  return new ApiError("BAD_REQUEST", `slug: ${message}`, { details });
}
