import { type BuildInput, buildFrom } from "#lib/connections/build-source";
import type { Built } from "#lib/connectors/custom/build-definition";
import { type BuildFinding, BuildRefused } from "#lib/connectors/custom/custom-definition";
import { db } from "#lib/db/pool";
import { transaction } from "#lib/db/transaction";
import type { SendRequest } from "#lib/engine/outgoing-request";
import { uuidv7 } from "#lib/support/ids";

/** More than this nobody reads. */
const FINDINGS_MAX = 200;

interface BuildRow {
  id: string;
  workspace_id: string;
  input: BuildInput;
  created_by: string | null;
}

/** The task behind build_connector. Repeated after a crash it does the same again; an ended build stays as it is. */
export async function runBuild(buildId: string, send: SendRequest): Promise<void> {
  const { rows } = await db().query<BuildRow>({
    text: `update connector_builds set status = 'building', progress = 10
           where id = $1 and status in ('queued', 'building') returning id, workspace_id, input, created_by`,
    values: [buildId],
  });
  const row = rows[0];
  if (!row) return;
  try {
    await store(row, await buildFrom(row.input, send));
  } catch (error) {
    const refusal = refusalOf(error);
    if (!refusal) throw error;
    await db().query({
      text: `update connector_builds set status = 'failed', progress = 100, errors = $2, input = '{}', completed_at = now()
             where id = $1 and status = 'building'`,
      values: [buildId, toJson([refusal])],
    });
  }
}

function refusalOf(error: unknown): BuildFinding | null {
  if (error instanceof BuildRefused) return error.finding;
  // Class 22, data exception: the document holds text that Postgres cannot keep.
  const code = (error as { code?: unknown }).code;
  if (typeof code !== "string" || !/^22[0-9A-Z]{3}$/.test(code)) return null;
  return new BuildRefused("", "unreadable", "The document holds characters that cannot be stored.").finding;
}

/** The connector and the end of its build, together; a connector of the same name becomes its next version. */
async function store(row: BuildRow, { definition, findings }: Built): Promise<void> {
  const { slug, name } = row.input;
  await transaction(async (tx) => {
    const { rowCount } = await tx.query({
      text: `update connector_builds set status = 'ready', progress = 100, errors = $2, input = '{}', completed_at = now()
             where id = $1 and status = 'building'`,
      values: [row.id, toJson(findings.slice(0, FINDINGS_MAX))],
    });
    if (rowCount !== 1) return;
    await tx.query({
      text: `insert into connectors (id, workspace_id, slug, name, definition, created_by) values ($1, $2, $3, $4, $5, $6)
             on conflict (workspace_id, slug) do update set name = excluded.name, definition = excluded.definition,
               version = connectors.version + 1, updated_at = now()`,
      values: [uuidv7(), row.workspace_id, slug, name, toJson(definition), row.created_by],
    });
  });
}

/** A description may have been cut in the middle of a character. */
function toJson(value: unknown): string {
  return JSON.stringify(value, (_, item) =>
    typeof item === "string" ? item.toWellFormed().replaceAll("\0", "") : item,
  );
}
