import { BuildRefused } from "#lib/connectors/custom/custom-definition";
import { NOTHING_SUGGESTED } from "#lib/connectors/custom/suggest-settings";
import type { ValidatedConnector } from "#lib/contract/connector/connector";
import { ApiError } from "#lib/contract/error/api-error";
import { type BuildInput, buildFrom } from "#lib/domain/custom-connectors/build-source";
import { findBrokenSteps } from "#lib/domain/custom-connectors/find-broken-steps";
import { findConnectorDefinition } from "#lib/domain/custom-connectors/find-connector-definition";
import { presentFindings } from "#lib/domain/custom-connectors/get-build";
import { outgoingSend } from "#lib/platform/outgoing/outgoing";

/** Returns the result of a build with this input, and its changes. Stores nothing. */
export async function validateBuild(workspaceId: string, input: BuildInput): Promise<ValidatedConnector> {
  const connector = input.slug;
  const before = connector === "" ? null : await findConnectorDefinition(workspaceId, connector);
  try {
    const built = await buildFrom(workspaceId, { ...input, beforeJson: before?.json ?? null }, outgoingSend());
    const { routes, findings, suggested, changes, document } = built;
    const operations = routes.map(({ operation }) => operation);
    const breaks = changes === null ? [] : await findBrokenSteps(workspaceId, connector, changes);
    return {
      connector,
      valid: true,
      breaks,
      operations,
      routes,
      suggested,
      changes,
      document,
      ...presentFindings(findings),
    };
  } catch (error) {
    if (!(error instanceof BuildRefused)) throw error;
    if (error.finding.code === "unknown_selection") throw unknownSelection(error);
    const nothing = { operations: [], routes: [], suggested: NOTHING_SUGGESTED, changes: null, breaks: [] };
    return { connector, valid: false, ...nothing, document: error.summary, ...presentFindings([error.finding]) };
  }
}

/** The document has no such tag, operation or path: the caller must change the request, not the document. */
function unknownSelection({ finding: { pointer, message } }: BuildRefused): ApiError {
  const field = pointer.slice(1).replaceAll("/", ".");
  const details = [{ field, pointer, code: "unknown_selection", message }];
  return new ApiError("BAD_REQUEST", `${field}: ${message}`, { details });
}
