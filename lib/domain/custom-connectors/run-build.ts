import { type BuildFinding, BuildRefused, toFinding } from "#lib/connectors/custom/custom-definition";
import { BUILD_LIMITS, type BuildStatus, UNFINISHED_BUILDS } from "#lib/contract/connector/connector";
import { ApiError } from "#lib/contract/error/api-error";
import type { SendRequest } from "#lib/core/engine/outgoing-request";
import { type BuildInput, type BuiltConnector, buildFrom } from "#lib/domain/custom-connectors/build-source";
import { findConnectorDefinition } from "#lib/domain/custom-connectors/find-connector-definition";
import { isDatabaseFault } from "#lib/platform/db/classify-database-error";
import { integer, jsonb, jsonbText, nullable, type RowOf, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db, transaction } from "#lib/platform/db/pool";
import { sqlSet } from "#lib/platform/db/sql-set";
import { uuidv7 } from "#lib/support/ids";
import { storableJson } from "#lib/support/json";

const BUILD_ROW = {
  id: uuid,
  workspace_id: uuid,
  input: jsonb<Omit<BuildInput, "openapi">>(),
  /** The document as JSON text. The thread that builds parses it. */
  openapi: nullable(text),
  created_by: nullable(uuid),
};
type BuildRow = RowOf<typeof BUILD_ROW>;

const takeBuild = defineStatement({
  name: "take_build",
  params: { buildId: uuid },
  row: BUILD_ROW,
  sql: `update connector_builds set status = 'building', progress = 10
        where id = $1 and status in ${sqlSet(UNFINISHED_BUILDS)}
        returning id, workspace_id, input - 'openapi' as input, (input -> 'openapi')::text as openapi, created_by`,
  isPrepared: false,
});

function defineEnd(status: Exclude<BuildStatus, (typeof UNFINISHED_BUILDS)[number]>) {
  return defineStatement({
    name: `end_build_${status}`,
    params: { buildId: uuid, findings: jsonbText },
    sql: `update connector_builds set status = '${status}', progress = 100, errors = $2, input = '{}', completed_at = now()
          where id = $1 and status = 'building'`,
    isPrepared: false,
  });
}

const markFailed = defineEnd("failed");
const markReady = defineEnd("ready");

const upsertConnector = defineStatement({
  name: "store_connector",
  params: { id: uuid, workspaceId: uuid, slug: text, name: text, createdBy: nullable(uuid) },
  row: { id: uuid, version: integer },
  sql: `insert into connectors (id, workspace_id, slug, name, created_by) values ($1, $2, $3, $4, $5)
        on conflict (workspace_id, slug) do update set name = excluded.name, version = connectors.version + 1,
          updated_at = now()
        returning id, version`,
  isPrepared: false,
});

const insertVersion = defineStatement({
  name: "store_connector_version",
  params: {
    id: uuid,
    version: integer,
    definition: jsonbText,
    changes: nullable(jsonbText),
    createdBy: nullable(uuid),
  },
  sql: `insert into connector_versions (connector_id, version, definition, changes, created_by)
        values ($1, $2, $3, $4, $5)`,
  isPrepared: false,
});

const deleteOldVersions = defineStatement({
  name: "delete_old_connector_versions",
  params: { id: uuid, lastVersion: integer },
  sql: `delete from connector_versions v where v.connector_id = $1 and v.version <= $2 and not exists (
          select 1 from workflow_version_connectors p
          where p.connector_id = v.connector_id and p.connector_version = v.version)`,
  isPrepared: false,
});

/**
 * The task of build_connector. It can be repeated after a crash with the same result; an ended build does not change.
 * @param options whether no attempt follows: then a busy machine ends the build, too
 */
export async function runBuild(buildId: string, send: SendRequest, { isLast = false } = {}): Promise<void> {
  const row = await takeBuild.first(db(), { buildId });
  if (!row) return;
  try {
    const before = await findConnectorDefinition(row.workspace_id, row.input.slug);
    const sources = { openapiJson: row.openapi, beforeJson: before?.json ?? null };
    await store(row, await buildFrom(row.workspace_id, { ...row.input, ...sources }, send), before?.version ?? 0);
  } catch (error) {
    const refusal = refusalOf(error) ?? (isLast ? busyFinding(error) : null);
    if (!refusal) throw error;
    await markFailed.run(db(), { buildId, findings: storableJson([refusal]) });
  }
}

function busyFinding(error: unknown): BuildFinding | null {
  return error instanceof ApiError ? toFinding("error", "", error.reason, error.message) : null;
}

function refusalOf(error: unknown): BuildFinding | null {
  if (error instanceof BuildRefused) return error.finding;
  if (!isDatabaseFault(error, "invalid_text") && !isDatabaseFault(error, "invalid_data")) return null;
  return new BuildRefused("", "unreadable", "The document contains characters that cannot be stored.").finding;
}

/**
 * Writes the connector and the end of its build together; an existing connector with the same name gets its next
 * version.
 * @param before the version that the changes were compared with; if another build was made meanwhile, they are unknown
 */
async function store(row: BuildRow, built: BuiltConnector, before: number): Promise<void> {
  const { definitionJson, findings, changes } = built;
  const { slug, name } = row.input;
  await transaction(async (tx) => {
    const ended = await markReady.run(tx, { buildId: row.id, findings: storableJson(findings) });
    if (ended !== 1) return;
    const { workspace_id: workspaceId, created_by: createdBy } = row;
    const { id, version } = await upsertConnector.one(tx, { id: uuidv7(), workspaceId, slug, name, createdBy });
    const known = changes !== null && version === before + 1 ? storableJson(changes) : null;
    await insertVersion.run(tx, { id, version, definition: definitionJson, changes: known, createdBy });
    await deleteOldVersions.run(tx, { id, lastVersion: version - BUILD_LIMITS.versions });
  });
}
