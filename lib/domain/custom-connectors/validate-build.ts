import { BuildRefused } from "#lib/connectors/custom/custom-definition";
import { NOTHING_SUGGESTED } from "#lib/connectors/custom/suggest-settings";
import type { ValidatedConnector } from "#lib/contract/connector";
import { type BuildInput, buildFrom } from "#lib/domain/custom-connectors/build-source";
import { findConnectorDefinition } from "#lib/domain/custom-connectors/find-connector-definition";
import { presentFindings } from "#lib/domain/custom-connectors/get-build";
import { outgoingSend } from "#lib/platform/outgoing/outgoing";

/** Returns the result of a build with this input, and its changes. Stores nothing. */
export async function validateBuild(workspaceId: string, input: BuildInput): Promise<ValidatedConnector> {
  const connector = input.slug;
  const before = connector === "" ? null : await findConnectorDefinition(workspaceId, connector);
  try {
    const built = await buildFrom(workspaceId, { ...input, beforeJson: before?.json ?? null }, outgoingSend());
    const { routes, findings, suggested, changes } = built;
    const operations = routes.map(({ operation }) => operation);
    return { connector, valid: true, operations, routes, suggested, changes, ...presentFindings(findings) };
  } catch (error) {
    if (!(error instanceof BuildRefused)) throw error;
    const nothing = { operations: [], routes: [], suggested: NOTHING_SUGGESTED, changes: null };
    return { connector, valid: false, ...nothing, ...presentFindings([error.finding]) };
  }
}
