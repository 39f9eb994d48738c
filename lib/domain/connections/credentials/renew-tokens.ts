import { type OAuthGrant, scopeParameter } from "#lib/connectors/sdk/oauth";
import { StepError } from "#lib/contract/run/step-error";
import type { SendRequest } from "#lib/core/engine/outgoing-request";
import { markConnection } from "#lib/domain/connections/credentials/mark-connection";
import { redirectUri } from "#lib/domain/connections/credentials/redirect-uri";
import { GrantRefused, requestTokens } from "#lib/domain/connections/credentials/request-tokens";
import type { ResolvedConnection } from "#lib/domain/connections/credentials/resolve-connection";
import {
  type Credentials,
  type OAuthTokens,
  sealCredentials,
  unsealCredentials,
} from "#lib/domain/connections/credentials/stored-credentials";
import { bytea, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db, transaction } from "#lib/platform/db/pool";

const lockCredentials = defineStatement({
  name: "lock_credentials",
  params: { workspaceId: uuid, id: uuid },
  row: { credentials_sealed: bytea },
  sql: "select credentials_sealed from connections where workspace_id = $1 and id = $2 for no key update",
});

const storeTokens = defineStatement({
  name: "store_tokens",
  params: { workspaceId: uuid, id: uuid, sealed: bytea },
  sql: `update connections set credentials_sealed = $3, status = 'connected', last_error = null
        where workspace_id = $1 and id = $2`,
});

/**
 * Renews this long before the token expires: a request that uses it must still arrive in time. Of a short lifetime it is
 * a share, so that a token that lives for a minute is not renewed with every call.
 */
const EARLY_MS = 60_000;
const EARLY_SHARE = 0.1;
/** RFC 7523, 2.1. */
const JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer";

interface Renewed {
  credentials: Credentials;
  sealed: Uint8Array;
}

/** Renewals of this process: callers that need the same token wait for one renewal, and for one database connection. */
const running = new Map<string, Promise<Renewed>>();

/** Reports whether the token can be used now; one that was never granted cannot. */
export function isFresh(tokens: OAuthTokens | undefined): boolean {
  if (!tokens) return false;
  const { expiresAt, lifetimeMs = Number.POSITIVE_INFINITY } = tokens;
  if (expiresAt === null) return true;
  return Date.parse(expiresAt) - Date.now() > Math.min(EARLY_MS, lifetimeMs * EARLY_SHARE);
}

/**
 * Replaces a connection's access token `stale`, once however many steps and workers ask: the caller that gets the row's
 * lock renews it, and the others find its token. The given connection has the new token from then on.
 * @throws StepError AUTH_EXPIRED if the service refuses: the connection is marked, and a person must sign in again
 */
export async function renewTokens(
  connection: ResolvedConnection,
  oauth: OAuthGrant,
  stale: string | null,
  send: SendRequest,
): Promise<void> {
  const key = `${connection.id}|${stale ?? ""}`;
  let renewal = running.get(key);
  if (!renewal) {
    renewal = renew(connection, oauth, stale, send).finally(() => running.delete(key));
    running.set(key, renewal);
  }
  const { credentials, sealed } = await renewal;
  connection.credentials = credentials;
  connection.sealed = sealed;
}

async function renew(
  connection: ResolvedConnection,
  oauth: OAuthGrant,
  stale: string | null,
  send: SendRequest,
): Promise<Renewed> {
  const { workspaceId, id, connector } = connection;
  let tried: Uint8Array = connection.sealed;
  try {
    return await transaction(async (tx) => {
      const row = await lockCredentials.first(tx, { workspaceId, id });
      if (!row) throw new StepError("connection_missing", "connection_id: there is no such connection");
      tried = row.credentials_sealed;
      const stored = unsealCredentials({ workspaceId, id }, tried);
      if (stored.tokens && stored.tokens.accessToken !== stale) return { credentials: stored, sealed: tried };
      const parameters = grantOf(oauth, stored);
      const tokens = await requestTokens({ connector, oauth, credentials: stored, parameters, send });
      const credentials = { ...stored, tokens };
      const sealed = sealCredentials({ workspaceId, id }, credentials);
      await storeTokens.run(tx, { workspaceId, id, sealed });
      return { credentials, sealed };
    });
  } catch (error) {
    if (!(error instanceof GrantRefused)) throw error;
    const note = { status: "expired", lastError: error.message, isUse: true } as const;
    await markConnection(db(), { ...connection, sealed: tried }, note);
    throw error;
  }
}

/** @throws GrantRefused if only a person can get another token */
function grantOf(oauth: OAuthGrant, { tokens, values }: Credentials): Record<string, string> {
  const { grant, assertion, renewalNamesRedirect } = oauth;
  if (grant === "jwt_bearer") return { grant_type: JWT_BEARER, assertion: assertion?.(values, new Date()) ?? "" };
  if (grant === "client_credentials") {
    return { grant_type: "client_credentials", ...scopeParameter(oauth, values) };
  }
  if (!tokens?.refreshToken) throw new GrantRefused("The sign-in has expired and cannot be renewed. Sign in again.");
  const redirect: Record<string, string> = renewalNamesRedirect ? { redirect_uri: redirectUri() } : {};
  return { grant_type: "refresh_token", refresh_token: tokens.refreshToken, ...redirect };
}

/**
 * Requests the first token of credentials that need no person; other credentials do not change.
 * @throws StepError
 */
export async function withFirstToken(
  connector: string,
  oauth: OAuthGrant | undefined,
  credentials: Credentials,
  send: SendRequest,
): Promise<Credentials> {
  if (!oauth || oauth.grant === "authorization_code") return credentials;
  const parameters = grantOf(oauth, credentials);
  return { ...credentials, tokens: await requestTokens({ connector, oauth, credentials, parameters, send }) };
}
