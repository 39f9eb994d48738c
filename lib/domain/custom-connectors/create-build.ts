import { type Actor, recordAudit } from "#lib/domain/audit/record-audit";
import type { BuildInput } from "#lib/domain/custom-connectors/build-source";
import { jsonb, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { transaction } from "#lib/platform/db/transaction";
import { enqueueBuild } from "#lib/platform/jobs/enqueue";
import { uuidv7 } from "#lib/support/ids";

interface CreateBuildRequest {
  workspaceId: string;
  userId: string;
  actor: Actor;
  input: BuildInput;
}

const insertBuild = defineStatement({
  name: "create_build",
  params: { id: uuid, workspaceId: uuid, slug: text, input: jsonb<BuildInput>(), userId: uuid },
  sql: `insert into connector_builds (id, workspace_id, connector_slug, input, created_by)
        values ($1, $2, $3, $4, $5)`,
  isPrepared: false,
});

/** Queues the build of a custom connector (decisions, Connectors); a worker does the rest. */
export async function createBuild({ workspaceId, userId, actor, input }: CreateBuildRequest) {
  const id = uuidv7();
  const { slug, auth, baseUrl } = input;
  await transaction(async (tx) => {
    await insertBuild.run(tx, { id, workspaceId, slug, input, userId });
    await enqueueBuild(tx, id);
    const details = { connector: slug, auth, base_url: baseUrl };
    const action = "connector.build_requested";
    await recordAudit(tx, { workspaceId, actor, action, objectType: "connector_build", objectId: id, details });
  });
  return { build_id: id, connector: slug, status: "queued" as const };
}
