import { factFor } from "#lib/connectors/sdk/oauth";
import { StepError } from "#lib/contract/run/step-error";
import { type Actor, recordAudit } from "#lib/domain/audit/record-audit";
import { redirectUri } from "#lib/domain/connections/credentials/redirect-uri";
import { requestTokens } from "#lib/domain/connections/credentials/request-tokens";
import { type Credentials, getAuth } from "#lib/domain/connections/credentials/stored-credentials";
import { columnsOfTried, insertConnection } from "#lib/domain/connections/insert-connection";
import type { BegunAuthorization } from "#lib/domain/connections/oauth/take-authorization";
import { recheckListeners } from "#lib/domain/connections/recheck-listeners";
import { learnTools } from "#lib/domain/connections/tools/refresh-tools";
import { type TriedCredentials, tryCredentials } from "#lib/domain/connections/try-credentials";
import { log } from "#lib/platform/config/log";
import { type PrismaTx, prismaTransaction } from "#lib/platform/db/prisma";
import { outgoingSend } from "#lib/platform/outgoing/outgoing";
import { uuidv7 } from "#lib/support/ids";

interface FinishRequest {
  /**
   * The sign-in as it was started. The caller has checked that the person may still create connections in its
   * workspace.
   */
  begun: BegunAuthorization;
  userId: string;
  actor: Actor;
  /** The parameters with which the service sent the browser back. */
  query: URLSearchParams;
}

/**
 * The result of a sign-in at a service. `reason` is one of ours, or the error code of RFC 6749 that the service
 * returned.
 */
export type FinishedAuthorization =
  | { outcome: "connected"; connectionId: string; returnTo: string }
  | { outcome: "refused"; reason: string; returnTo: string };

/** Error codes use only these characters; any other text could be someone else's words, and is not shown. */
const ERROR_CODE = /^[a-z_]{1,40}$/;

/**
 * Finishes a sign-in with what the service sent back (RFC 6749, 4.1.2): exchanges the code for tokens, and creates or
 * repairs a connection in the workspace where the sign-in was started.
 */
export async function finishAuthorization(request: FinishRequest): Promise<FinishedAuthorization> {
  const { query, begun } = request;
  const { pending, connector, connectionId } = begun;
  const { returnTo } = pending;
  const refused = (reason: string): FinishedAuthorization => ({ outcome: "refused", reason, returnTo });
  const error = query.get("error");
  if (error !== null) return refused(ERROR_CODE.test(error) ? error : "refused");
  const code = query.get("code");
  if (!code) return refused("refused");
  try {
    const credentials = await exchange(begun, code, query);
    const tried = await tryCredentials(begun.workspaceId, connector, credentials);
    const id = await store(request, { connector, connectionId, name: pending.name, tried });
    if (id === null) return refused("name_taken");
    if (tried.outcome === "ok") await learnTools(begun.workspaceId, id);
    return { outcome: "connected", connectionId: id, returnTo };
  } catch (thrown) {
    if (!(thrown instanceof StepError)) throw thrown;
    log.warn({ err: thrown, connector }, "a code was not exchanged for tokens");
    return refused("exchange_failed");
  }
}

async function exchange(
  { workspaceId, connector, pending: { credentials, verifier } }: BegunAuthorization,
  code: string,
  query: URLSearchParams,
): Promise<Credentials> {
  const { oauth } = getAuth(connector, credentials.auth);
  if (!oauth) throw new Error(`${connector} has no OAuth`);
  const values = { ...credentials.values, ...oauth.readCallback?.(query, credentials.values) };
  const { tokens: _, ...kept } = credentials;
  const asked = { ...kept, values };
  const parameters = {
    grant_type: "authorization_code",
    code,
    redirect_uri: redirectUri(),
    ...(factFor(oauth.hasPkce ?? true, values) ? { code_verifier: verifier } : {}),
  };
  const send = outgoingSend(workspaceId);
  return { ...asked, tokens: await requestTokens({ connector, oauth, credentials: asked, parameters, send }) };
}

interface Authorized {
  connector: string;
  connectionId: string | null;
  name: string | null;
  tried: TriedCredentials;
}

/** @returns null if the name was taken or the connection was deleted meanwhile */
async function store(request: FinishRequest, authorized: Authorized): Promise<string | null> {
  const { actor } = request;
  const { workspaceId } = request.begun;
  const { connector, connectionId, tried } = authorized;
  const id = connectionId ?? uuidv7();
  return prismaTransaction(async (tx) => {
    const isStored =
      connectionId === null ? await insert(tx, request, id, authorized) : await update(tx, request, id, tried);
    if (!isStored) return null;
    await recordAudit(tx, {
      workspaceId,
      actor,
      action: connectionId === null ? "connection.created" : "connection.signed_in_again",
      objectType: "connection",
      objectId: id,
      details: { connector, auth: tried.credentials.auth, test: tried.outcome },
    });
    return id;
  });
}

function insert(
  tx: PrismaTx,
  { begun: { workspaceId }, userId }: FinishRequest,
  id: string,
  { connector, name, tried }: Authorized,
): Promise<boolean> {
  if (name === null) throw new Error("a new connection needs a name");
  return insertConnection(tx.prisma, { id, workspaceId, userId, connector, name }, tried);
}

async function update(
  tx: PrismaTx,
  { begun: { workspaceId } }: FinishRequest,
  id: string,
  tried: TriedCredentials,
): Promise<boolean> {
  const connection = { workspaceId, id };
  const written = await tx.prisma.connection.updateMany({
    where: connection,
    data: { ...columnsOfTried(connection, tried), updatedAt: new Date() },
  });
  await recheckListeners(tx, workspaceId, id);
  return written.count === 1;
}
