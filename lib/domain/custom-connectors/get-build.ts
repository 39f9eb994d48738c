import type { BuildFinding } from "#lib/connectors/custom/custom-definition";
import type { BuildFindings, BuildObject, BuildStatus } from "#lib/contract/connector/connector";
import { ApiError } from "#lib/contract/error/api-error";
import { prisma } from "#lib/platform/db/prisma";
import { UUID_PATTERN } from "#lib/support/ids";

/**
 * Returns the state of a build (decisions, Connectors).
 * @throws ApiError NOT_FOUND
 */
export async function getBuild(workspaceId: string, buildId: string): Promise<BuildObject> {
  const row = UUID_PATTERN.test(buildId)
    ? await prisma().connectorBuild.findFirst({ where: { workspaceId, id: buildId }, omit: { input: true } })
    : null;
  if (!row) throw new ApiError("NOT_FOUND", "There is no such build.");
  return {
    build_id: buildId,
    connector: row.connectorSlug,
    status: row.status as BuildStatus,
    progress: row.progress,
    ...presentFindings(row.errors as unknown as BuildFinding[]),
    created_at: row.createdAt.toISOString(),
    completed_at: row.completedAt?.toISOString() ?? null,
  };
}

/** Returns the findings that stopped a build, and the parts it left out. */
export function presentFindings(findings: readonly BuildFinding[]): BuildFindings {
  const of = (which: BuildFinding["severity"]) =>
    findings.filter(({ severity }) => severity === which).map(({ severity: _, ...finding }) => finding);
  return { errors: of("error"), left_out: of("left_out") };
}
