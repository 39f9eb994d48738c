import { HOSTS_FIELD } from "#lib/connectors/sdk/connection-fields";
import type { ConnectionObject } from "#lib/contract/connection/connection";
import { ApiError } from "#lib/contract/error/api-error";
import { type Actor, recordAudit } from "#lib/domain/audit/record-audit";
import { getAuth, sealCredentials, unsealCredentials } from "#lib/domain/connections/credentials/stored-credentials";
import { connectionNotFound, getConnection } from "#lib/domain/connections/get-connection";
import { bytea, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { prismaTransaction } from "#lib/platform/db/prisma";
import { parseAllowedOrigin } from "#lib/support/urls/allowed-origins";

interface AllowHostRequest {
  workspaceId: string;
  connectionId: string;
  actor: Actor;
  /** A scheme, a host and a port; no wildcard. */
  origin: string;
}

const lockConnection = defineStatement({
  name: "lock_connection_hosts",
  params: { workspaceId: uuid, id: uuid },
  row: { connector: text, credentials_sealed: bytea },
  sql: "select connector, credentials_sealed from connections where workspace_id = $1 and id = $2 for no key update",
  isPrepared: false,
});

/**
 * Lets a connection send its credentials to one more host, without asking for them again (decisions, Connections:
 * allowing a host). The lock keeps a token that is renewed at the same time.
 * @throws ApiError NOT_FOUND, BAD_REQUEST for a text that is not an origin, or a connection that knows its hosts
 */
export async function allowHost(request: AllowHostRequest): Promise<ConnectionObject> {
  const { workspaceId, connectionId: id } = request;
  const origin = parseAllowedOrigin(request.origin);
  if (origin === null || origin.includes("*")) {
    throw new ApiError("BAD_REQUEST", "origin: must be a scheme and a host, such as https://api.example.com");
  }
  return prismaTransaction(async (tx) => {
    const row = await lockConnection.first(tx, { workspaceId, id });
    if (!row) throw connectionNotFound();
    const credentials = unsealCredentials({ workspaceId, id }, row.credentials_sealed);
    const { fields } = getAuth(row.connector, credentials.auth);
    if (!fields.includes(HOSTS_FIELD)) {
      throw new ApiError("BAD_REQUEST", "The hosts of this connection can't be changed: its service determines them.");
    }
    const { [HOSTS_FIELD.name]: before = "" } = credentials.values;
    const hosts = [...new Set([...before.split("\n"), origin])].join("\n");
    const values = { ...credentials.values, [HOSTS_FIELD.name]: hosts };
    await tx.prisma.connection.updateMany({
      where: { workspaceId, id },
      data: {
        credentialsSealed: sealCredentials({ workspaceId, id }, { ...credentials, values }),
        updatedAt: new Date(),
      },
    });
    await recordAudit(tx, {
      workspaceId,
      actor: request.actor,
      action: "connection.host_allowed",
      objectType: "connection",
      objectId: id,
      details: { origin },
    });
    return getConnection(workspaceId, id, tx);
  });
}
