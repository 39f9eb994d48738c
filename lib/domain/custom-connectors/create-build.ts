import { UNFINISHED_BUILDS } from "#lib/contract/connector/connector";
import { ApiError } from "#lib/contract/error/api-error";
import { LIMITS } from "#lib/contract/limits";
import { type Actor, recordAudit } from "#lib/domain/audit/record-audit";
import type { BuildInput } from "#lib/domain/custom-connectors/build-source";
import type { KeepAnswer } from "#lib/domain/repeats/answer-once";
import { integer, jsonb, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { type Db, transaction } from "#lib/platform/db/pool";
import { sqlSet } from "#lib/platform/db/sql-set";
import { enqueueBuild } from "#lib/platform/jobs/enqueue";
import { uuidv7 } from "#lib/support/ids";

interface CreateBuildRequest {
  workspaceId: string;
  userId: string;
  actor: Actor;
  input: BuildInput & { baseUrl: string };
  keep?: KeepAnswer<CreatedBuild> | undefined;
}

interface CreatedBuild {
  build_id: string;
  connector: string;
  status: "queued";
}

const insertBuild = defineStatement({
  name: "create_build",
  params: { id: uuid, workspaceId: uuid, slug: text, input: jsonb<BuildInput>(), userId: uuid },
  sql: `insert into connector_builds (id, workspace_id, connector_slug, input, created_by)
        values ($1, $2, $3, $4, $5)`,
  isPrepared: false,
});

const lockWorkspace = defineStatement({
  name: "lock_builds",
  params: { workspaceId: uuid },
  sql: "select from workspaces where id = $1 for no key update",
  isPrepared: false,
});

/** A build whose worker failed again and again never ends, so only those of the last hour count. */
const countOpen = defineStatement({
  name: "count_open_builds",
  params: { workspaceId: uuid },
  row: { count: integer },
  sql: `select count(*)::int as count from connector_builds
        where workspace_id = $1 and created_at > now() - interval '1 hour' and status in ${sqlSet(UNFINISHED_BUILDS)}`,
  isPrepared: false,
});

const RETRY_AFTER_SECONDS = 10;

/**
 * Counts the workspace's builds that have not ended. Until the transaction ends, no other request adds one.
 * @throws ApiError `too_many_builds`
 */
async function claimBuild(tx: Db, workspaceId: string): Promise<number> {
  await lockWorkspace.run(tx, { workspaceId });
  const { count } = await countOpen.one(tx, { workspaceId });
  if (count < LIMITS.openBuilds) return count;
  const message = `The workspace has ${LIMITS.openBuilds} builds that have not ended. Wait until one of them ends.`;
  throw new ApiError("too_many_builds", message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}

/**
 * Queues the build of a custom connector (decisions, Connectors); a worker does the rest.
 * @throws ApiError `too_many_builds`
 */
export function createBuild(request: CreateBuildRequest): Promise<CreatedBuild> {
  const { workspaceId, userId, actor, input, keep } = request;
  const id = uuidv7();
  const { slug, auth, baseUrl } = input;
  return transaction(async (tx) => {
    const openBuilds = await claimBuild(tx, workspaceId);
    await insertBuild.run(tx, { id, workspaceId, slug, input, userId });
    await enqueueBuild(tx, { buildId: id, workspaceId, openBuilds });
    const details = { connector: slug, auth, base_url: baseUrl };
    const action = "connector.build_requested";
    await recordAudit(tx, { workspaceId, actor, action, objectType: "connector_build", objectId: id, details });
    const created: CreatedBuild = { build_id: id, connector: slug, status: "queued" };
    await keep?.(tx, created);
    return created;
  });
}
