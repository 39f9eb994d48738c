import { type BuildFinding, BuildRefused } from "#lib/connectors/custom/custom-definition";
import { BUILD_LIMITS } from "#lib/contract/connector";
import type { SendRequest } from "#lib/core/engine/outgoing-request";
import { type BuildInput, type BuiltConnector, buildFrom } from "#lib/domain/custom-connectors/build-source";
import { findConnectorDefinition } from "#lib/domain/custom-connectors/find-connector-definition";
import { isDatabaseFault } from "#lib/platform/db/classify-database-error";
import { db } from "#lib/platform/db/pool";
import { transaction } from "#lib/platform/db/transaction";
import { uuidv7 } from "#lib/support/ids";
import { storableJson } from "#lib/support/storable-json";

/** More than this nobody reads. */
const FINDINGS_MAX = 200;

interface BuildRow {
  id: string;
  workspace_id: string;
  input: Omit<BuildInput, "openapi">;
  /** The document as JSON text: its parsing is left to the thread that builds. */
  openapi: string | null;
  created_by: string | null;
}

/** The task behind build_connector. Repeated after a crash it does the same again; an ended build stays as it is. */
export async function runBuild(buildId: string, send: SendRequest): Promise<void> {
  const { rows } = await db().query<BuildRow>({
    text: `update connector_builds set status = 'building', progress = 10
           where id = $1 and status in ('queued', 'building')
           returning id, workspace_id, input - 'openapi' as input, (input -> 'openapi')::text as openapi, created_by`,
    values: [buildId],
  });
  const row = rows[0];
  if (!row) return;
  try {
    const before = await findConnectorDefinition(row.workspace_id, row.input.slug);
    const sources = { openapiJson: row.openapi, beforeJson: before?.json ?? null };
    await store(row, await buildFrom({ ...row.input, ...sources }, send), before?.version ?? 0);
  } catch (error) {
    const refusal = refusalOf(error);
    if (!refusal) throw error;
    await db().query({
      text: `update connector_builds set status = 'failed', progress = 100, errors = $2, input = '{}', completed_at = now()
             where id = $1 and status = 'building'`,
      values: [buildId, storableJson([refusal])],
    });
  }
}

function refusalOf(error: unknown): BuildFinding | null {
  if (error instanceof BuildRefused) return error.finding;
  if (!isDatabaseFault(error, "invalid_text") && !isDatabaseFault(error, "invalid_data")) return null;
  return new BuildRefused("", "unreadable", "The document holds characters that cannot be stored.").finding;
}

/**
 * The connector and the end of its build, together; a connector of the same name becomes its next version.
 * @param before the version that its changes were found against; where another build came between, they are not known
 */
async function store(row: BuildRow, built: BuiltConnector, before: number): Promise<void> {
  const { definitionJson, findings, changes } = built;
  const { slug, name } = row.input;
  await transaction(async (tx) => {
    const { rowCount } = await tx.query({
      text: `update connector_builds set status = 'ready', progress = 100, errors = $2, input = '{}', completed_at = now()
             where id = $1 and status = 'building'`,
      values: [row.id, storableJson(findings.slice(0, FINDINGS_MAX))],
    });
    if (rowCount !== 1) return;
    const { rows } = await tx.query<{ id: string; version: number }>({
      text: `insert into connectors (id, workspace_id, slug, name, created_by) values ($1, $2, $3, $4, $5)
             on conflict (workspace_id, slug) do update set name = excluded.name, version = connectors.version + 1,
               updated_at = now()
             returning id, version`,
      values: [uuidv7(), row.workspace_id, slug, name, row.created_by],
    });
    const [{ id, version } = { id: "", version: 0 }] = rows;
    const known = changes !== null && version === before + 1 ? storableJson(changes) : null;
    await tx.query({
      text: `insert into connector_versions (connector_id, version, definition, changes, created_by)
             values ($1, $2, $3, $4, $5)`,
      values: [id, version, definitionJson, known, row.created_by],
    });
    await tx.query({
      text: `delete from connector_versions v where v.connector_id = $1 and v.version <= $2 and not exists (
               select 1 from workflow_version_connectors p
               where p.connector_id = v.connector_id and p.connector_version = v.version)`,
      values: [id, version - BUILD_LIMITS.versions],
    });
  });
}
