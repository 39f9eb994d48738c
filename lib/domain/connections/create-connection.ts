import type { TestedConnection } from "#lib/contract/connection/connection";
import { ApiError } from "#lib/contract/error/api-error";
import { type Actor, recordAudit } from "#lib/domain/audit/record-audit";
import { parseCredentials } from "#lib/domain/connections/credentials/parse-credentials";
import { type Credentials, getAuth, usableValues } from "#lib/domain/connections/credentials/stored-credentials";
import { getConnection } from "#lib/domain/connections/get-connection";
import { insertConnection } from "#lib/domain/connections/insert-connection";
import { learnTools } from "#lib/domain/connections/tools/refresh-tools";
import { type TriedCredentials, tryCredentials } from "#lib/domain/connections/try-credentials";
import { prismaTransaction } from "#lib/platform/db/prisma";
import { uuidv7 } from "#lib/support/ids";

interface CreateConnectionRequest {
  workspaceId: string;
  userId: string;
  actor: Actor;
  connector: string;
  auth: string;
  name: string;
  fields: Readonly<Record<string, string>>;
  /** Store the connection even if the service refuses it. */
  acceptFailure: boolean;
}

/**
 * Tests credentials and stores them, sealed (decisions, Connections).
 * @throws ApiError BAD_REQUEST with `details` per field, CONNECTION_TEST_FAILED in the service's words,
 * CONNECTION_NAME_TAKEN
 */
export async function createConnection(request: CreateConnectionRequest): Promise<TestedConnection> {
  const { workspaceId, connector, name } = request;
  const given = parseCredentials(request);
  assertNoPerson(connector, given);
  // Runs before the transaction, so that no lock of ours waits for a service.
  const tried = await tryCredentials(workspaceId, connector, given);
  const { status: _, credentials, ...test } = tried;
  assertAccepted(test, request.acceptFailure);
  const id = uuidv7();
  const created = await prismaTransaction(async (tx) => {
    const { userId } = request;
    const isAdded = await insertConnection(tx.prisma, { id, workspaceId, userId, connector, name }, tried);
    if (!isAdded) throw nameTaken(name);
    const origins = getAuth(connector, credentials.auth).origins(usableValues(connector, credentials));
    await recordAudit(tx, {
      workspaceId,
      actor: request.actor,
      action: "connection.created",
      objectType: "connection",
      objectId: id,
      details: { connector, auth: credentials.auth, name, origins, test: test.outcome },
    });
    return { connection: await getConnection(workspaceId, id, tx), test };
  });
  if (test.outcome === "ok") await learnTools(workspaceId, id);
  return created;
}

/** @throws ApiError CONNECTION_TEST_FAILED */
export function assertAccepted(
  { outcome, message }: Pick<TriedCredentials, "outcome" | "message">,
  acceptFailure: boolean,
): void {
  if (outcome === "failed" && !acceptFailure) throw new ApiError("CONNECTION_TEST_FAILED", message);
}

export function nameTaken(name: string): ApiError {
  return new ApiError("CONNECTION_NAME_TAKEN", `A connection named ${name} already exists for this connector.`);
}

/** @throws ApiError BAD_REQUEST for an authentication method that requires a person to sign in at the service */
export function assertNoPerson(connector: string, { auth }: Credentials): void {
  if (getAuth(connector, auth).oauth?.grant !== "authorization_code") return;
  throw new ApiError("BAD_REQUEST", "auth: this method requires a person to sign in. Use start_authorization.");
}
