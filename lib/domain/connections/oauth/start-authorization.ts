import { createHash, randomBytes } from "node:crypto";
import { factFor, type OAuthGrant, scopeParameter } from "#lib/connectors/sdk/oauth";
import { ApiError } from "#lib/contract/error/api-error";
import { StepError } from "#lib/contract/run/step-error";
import { nameTaken } from "#lib/domain/connections/create-connection";
import { parseCredentials } from "#lib/domain/connections/credentials/parse-credentials";
import { redirectUri } from "#lib/domain/connections/credentials/redirect-uri";
import { findClient } from "#lib/domain/connections/credentials/request-tokens";
import { pendingContext } from "#lib/domain/connections/credentials/sealed-contexts";
import { placedAddress } from "#lib/domain/connections/credentials/service-addresses";
import { type Credentials, getAuth } from "#lib/domain/connections/credentials/stored-credentials";
import { getResolvedConnection } from "#lib/domain/connections/get-resolved-connection";
import { bytea, integer, nullable, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";
import { prisma } from "#lib/platform/db/prisma";
import { outgoingSend } from "#lib/platform/outgoing/outgoing";
import { seal } from "#lib/platform/secrets/seal";
import { setQueryParameter } from "#lib/support/urls/url-query";

/** How long a person may take at the service. */
const MINUTES = 10;
/** How long the service may take to say how people sign in: four short documents. */
const PREPARE_MS = 15_000;

interface StartRequest {
  workspaceId: string;
  userId: string;
  /** A new connection, or the id of one to sign in again, which keeps its fields. */
  target:
    | { connector: string; auth: string; name: string; fields: Readonly<Record<string, string>> }
    | { connectionId: string };
  /** A path of this site. */
  returnTo: string;
}

/** The state of an unfinished sign-in, stored sealed. */
export interface PendingAuthorization {
  name: string | null;
  credentials: Credentials;
  verifier: string;
  returnTo: string;
}

const insertState = defineStatement({
  name: "start_authorization",
  params: {
    hash: bytea,
    workspaceId: uuid,
    userId: uuid,
    connectionId: nullable(uuid),
    connector: text,
    sealed: bytea,
    minutes: integer,
  },
  sql: `with gone as (delete from oauth_authorizations where expires_at < now())
        insert into oauth_authorizations (state_hash, workspace_id, user_id, connection_id, connector, sealed, expires_at)
        values ($1, $2, $3, $4, $5, $6, now() + make_interval(mins => $7))`,
  isPrepared: false,
});

export function hashState(state: string): Buffer {
  return createHash("sha256").update(state).digest();
}

/**
 * Starts the sign-in of a connection at its service (RFC 6749 with PKCE, RFC 7636). The state in the address is a
 * secret of 256 bits that only the same person, in the same workspace, can use, once and within ten minutes.
 * @returns the address to send the browser to
 * @throws ApiError NOT_FOUND, BAD_REQUEST with `details` per field, CONNECTION_NAME_TAKEN
 */
export async function startAuthorization(request: StartRequest): Promise<{ authorize_url: string }> {
  const { workspaceId, userId, returnTo } = request;
  const { connector, connectionId, name, credentials: given } = await resolveTarget(request);
  const { oauth } = getAuth(connector, given.auth);
  if (oauth?.grant !== "authorization_code" || !oauth.authorizeUrl) {
    throw new ApiError("BAD_REQUEST", "auth: this method requires no sign-in");
  }
  const credentials = await prepare(workspaceId, oauth, given);
  const client = findClient(connector, credentials);
  if (!client) throw clientMissing();
  const [state, verifier] = [randomBytes(32).toString("base64url"), randomBytes(32).toString("base64url")];
  const hash = hashState(state);
  const pending: PendingAuthorization = { name, credentials, verifier, returnTo };
  const sealed = seal(workspaceId, pendingContext(hash), pending);
  await insertState.run(db(), { hash, workspaceId, userId, connectionId, connector, sealed, minutes: MINUTES });
  const address = new URL(placedAddress(connector, oauth.authorizeUrl(credentials.values)));
  const challenge = createHash("sha256").update(verifier).digest("base64url");
  const parameters = {
    response_type: "code",
    client_id: client.id,
    redirect_uri: redirectUri(),
    state,
    ...scopeParameter(oauth, credentials.values),
    ...(factFor(oauth.hasPkce ?? true, credentials.values)
      ? { code_challenge: challenge, code_challenge_method: "S256" }
      : {}),
    ...factFor(oauth.authorizeParameters ?? {}, credentials.values),
  };
  const set = (url: string, [name, value]: [string, string]) => setQueryParameter(url, name, value);
  return { authorize_url: Object.entries(parameters).reduce(set, address.href) };
}

/** @throws ApiError CONNECTION_TEST_FAILED in the words of what the service lacks */
async function prepare(workspaceId: string, oauth: OAuthGrant, given: Credentials): Promise<Credentials> {
  if (!oauth.prepare) return given;
  const signal = AbortSignal.timeout(PREPARE_MS);
  const service = { send: outgoingSend(workspaceId), signal, redirectUri: redirectUri() };
  try {
    return { ...given, values: { ...given.values, ...(await oauth.prepare(given.values, service)) } };
  } catch (error) {
    if (error instanceof StepError) throw new ApiError("CONNECTION_TEST_FAILED", error.message, { cause: error });
    if (!signal.aborted) throw error;
    const message = `The service took longer than ${PREPARE_MS / 1_000} s to describe how to sign in`;
    throw new ApiError("CONNECTION_TEST_FAILED", message, { cause: error });
  }
}

async function resolveTarget({ workspaceId, target }: StartRequest) {
  if ("connectionId" in target) {
    const { connector, credentials } = await getResolvedConnection(workspaceId, target.connectionId);
    return { connector, connectionId: target.connectionId, name: null, credentials };
  }
  const { connector, name } = target;
  const credentials = parseCredentials(target);
  const namesake = await prisma().connection.findUnique({
    where: { workspaceId_connector_name: { workspaceId, connector, name } },
    select: { id: true },
  });
  if (namesake) throw nameTaken(name);
  return { connector, connectionId: null, name, credentials };
}

function clientMissing(): ApiError {
  const message = "is required: this installation has no OAuth client for this service";
  return new ApiError("BAD_REQUEST", `client_id: ${message}`, {
    details: [{ field: "fields.client_id", pointer: "/fields/client_id", code: "required", message }],
  });
}
