import { findConnector } from "#lib/connectors/registry";
import { ApiError } from "#lib/contract/error/api-error";
import { StepError } from "#lib/contract/run/step-error";
import { getResolvedConnection } from "#lib/domain/connections/get-resolved-connection";
import { probeOfConnection } from "#lib/domain/connections/try-credentials";

/**
 * Lists the models that a connection's provider offers now.
 * @throws ApiError NOT_FOUND, BAD_REQUEST (its connector has no models), CONNECTION_TEST_FAILED in the provider's words
 */
export async function listModels(workspaceId: string, connectionId: string): Promise<{ data: string[] }> {
  const connection = await getResolvedConnection(workspaceId, connectionId);
  const { connector } = connection;
  const list = findConnector(connector)?.listModels;
  if (!list) throw new ApiError("BAD_REQUEST", `connection_id: ${connector} has no models`);
  try {
    return { data: await list(probeOfConnection(connection)) };
  } catch (error) {
    if (error instanceof StepError) throw new ApiError("CONNECTION_TEST_FAILED", error.message);
    throw error;
  }
}
