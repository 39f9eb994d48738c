import type { BuildFinding } from "#lib/connectors/custom/custom-definition";
import { ApiError } from "#lib/contract/api-error";
import type { BuildFindings, BuildObject } from "#lib/contract/connector";
import { db } from "#lib/platform/db/pool";
import { UUID_PATTERN } from "#lib/support/ids";

interface BuildStatusRow {
  connector_slug: string;
  status: BuildObject["status"];
  progress: number;
  errors: BuildFinding[];
  created_at: Date;
  completed_at: Date | null;
}

/**
 * How a build stands (decisions, Connectors).
 * @throws ApiError NOT_FOUND
 */
export async function getBuild(workspaceId: string, buildId: string): Promise<BuildObject> {
  const { rows } = UUID_PATTERN.test(buildId)
    ? await db().query<BuildStatusRow>({
        text: `select connector_slug, status, progress, errors, created_at, completed_at from connector_builds
               where workspace_id = $1 and id = $2`,
        values: [workspaceId, buildId],
      })
    : { rows: [] };
  const [row] = rows;
  if (!row) throw new ApiError("NOT_FOUND", "There is no such build.");
  return {
    build_id: buildId,
    connector: row.connector_slug,
    status: row.status,
    progress: row.progress,
    ...presentFindings(row.errors),
    created_at: row.created_at.toISOString(),
    completed_at: row.completed_at?.toISOString() ?? null,
  };
}

/** What stopped a build, and what it did without. */
export function presentFindings(findings: readonly BuildFinding[]): BuildFindings {
  const of = (which: BuildFinding["severity"]) =>
    findings.filter(({ severity }) => severity === which).map(({ severity: _, ...finding }) => finding);
  return { errors: of("error"), left_out: of("left_out") };
}
