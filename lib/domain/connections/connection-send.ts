import { saysExpired } from "#lib/connectors/sdk/expired-answers";
import type { OAuthGrant } from "#lib/connectors/sdk/oauth";
import type { OutgoingRequest, OutgoingResponse, SendRequest } from "#lib/core/engine/outgoing-request";
import { noteUse } from "#lib/domain/connections/credentials/mark-connection";
import { isFresh, renewTokens } from "#lib/domain/connections/credentials/renew-tokens";
import type { ResolvedConnection } from "#lib/domain/connections/credentials/resolve-connection";
import { usableValues } from "#lib/domain/connections/credentials/stored-credentials";
import { signedSend } from "#lib/domain/connections/signed-send";

/**
 * Returns a send function for a connection. It attaches the credentials and records whether the service accepts them.
 * An access token is renewed before it expires and, once, after an answer that says that it has expired, because some
 * services end tokens early.
 */
export function connectionSend(connection: ResolvedConnection, sendAny: SendRequest): SendRequest {
  const { auth, workspaceId } = connection;
  const send: SendRequest = (request) => sendAny({ ...request, workspaceId });
  const sign = (): SendRequest =>
    signedSend({ auth, values: usableValues(connection.connector, connection.credentials), send });
  const attempt = auth.oauth ? renewing(connection, auth.oauth, sign, send) : sign();
  return async (request) => {
    const response = await attempt(request);
    const { host } = new URL(request.url);
    await noteUse(connection, response.status === 401 ? `${host} did not accept the credentials (401)` : null);
    return response;
  };
}

function renewing(
  connection: ResolvedConnection,
  oauth: OAuthGrant,
  sign: () => SendRequest,
  send: SendRequest,
): SendRequest {
  return async (request: OutgoingRequest): Promise<OutgoingResponse> => {
    const { tokens } = connection.credentials;
    if (!isFresh(tokens)) await renewTokens(connection, oauth, tokens?.accessToken ?? null, send);
    const used = connection.credentials.tokens?.accessToken ?? null;
    const response = await sign()(request);
    if (!saysExpired(response, oauth.expiredAnswers?.(connection.credentials.values) ?? "")) return response;
    await renewTokens(connection, oauth, used, send);
    return sign()(request);
  };
}
