import { z } from "zod";
import { errorWords } from "#lib/connectors/sdk/error-words";
import { type ClientAuthentication, factFor, type OAuthGrant, REGISTERED_CLIENT } from "#lib/connectors/sdk/oauth";
import { statusError } from "#lib/connectors/sdk/status-error";
import { detailsOf, StepError } from "#lib/contract/step-error";
import { AnsweredError } from "#lib/core/engine/answered-error";
import type { OutgoingResponse, SendRequest } from "#lib/core/engine/outgoing-request";
import { placedAddress } from "#lib/domain/connections/credentials/service-addresses";
import type { Credentials, OAuthTokens } from "#lib/domain/connections/credentials/stored-credentials";
import { env } from "#lib/platform/config/env";
import { parseBoundedJson } from "#lib/support/scan-json";

/** A person or a step waits, possibly behind the connection's lock. */
const TOKEN_TIMEOUT_MS = 8_000;

/** The answer of RFC 6749, 5.1; some services write numbers as texts. */
const granted = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1).nullish(),
  expires_in: z.coerce.number().positive().nullish(),
});

/** RFC 6749, 5.2. */
const refusedBody = z.object({ error: z.string(), error_description: z.string().nullish() });

/** Returns the OAuth client that asks: the connection's own, one that was registered for it, or the installation's. */
export function findClient(connector: string, { values }: Credentials): { id: string; secret: string | null } | null {
  const { client_id: id, client_secret: secret = null } = values;
  if (id !== undefined) return { id, secret };
  const { [REGISTERED_CLIENT.id]: ownId, [REGISTERED_CLIENT.secret]: ownSecret } = values;
  if (ownId !== undefined) return { id: ownId, secret: ownSecret || null };
  const registered = env().CONNECTOR_OAUTH_CLIENTS[connector];
  return registered ? { id: registered.client_id, secret: registered.client_secret ?? null } : null;
}

/** Thrown if the service refuses the grant: asking again changes nothing. */
export class GrantRefused extends StepError {
  constructor(message: string) {
    super("AUTH_EXPIRED", message);
  }
}

interface TokenRequest {
  connector: string;
  oauth: OAuthGrant;
  credentials: Credentials;
  /** `grant_type` and its parameters. */
  parameters: Readonly<Record<string, string>>;
  send: SendRequest;
}

/**
 * Calls the token endpoint (RFC 6749). The client's secret is sent there only: redirects are not followed.
 * @throws GrantRefused, StepError if there was no usable answer
 */
export async function requestTokens({
  connector,
  oauth,
  credentials,
  parameters,
  send,
}: TokenRequest): Promise<OAuthTokens> {
  const client = oauth.grant === "jwt_bearer" ? null : findClient(connector, credentials);
  if (!client && oauth.grant !== "jwt_bearer")
    throw new GrantRefused("client_id: is missing, and this installation has no OAuth client for this service");
  const url = placedAddress(connector, oauth.tokenUrl(credentials.values));
  const requestedAt = Date.now();
  const response = await send({
    method: "POST",
    url,
    ...encoded(factFor(oauth.clientAuthentication, credentials.values), client, {
      ...parameters,
      ...oauth.tokenParameters?.(credentials.values),
    }),
    signal: AbortSignal.timeout(TOKEN_TIMEOUT_MS),
    redirectsOnHost: 0,
  }).catch((error: unknown) => {
    if (error instanceof StepError) throw error;
    throw new StepError("service_unreachable", `${new URL(url).host} did not return a token in time`, { cause: error });
  });
  const body = parseJson(response);
  const tokens = response.status < 400 ? granted.safeParse(body) : null;
  if (!tokens?.success) throw refusalOf(url, response, body);
  const { access_token: accessToken, refresh_token: refreshToken, expires_in: seconds } = tokens.data;
  return {
    accessToken,
    // A service that keeps the old refresh token does not repeat it.
    refreshToken: refreshToken ?? credentials.tokens?.refreshToken ?? null,
    expiresAt: seconds ? new Date(requestedAt + seconds * 1_000).toISOString() : null,
  };
}

function encoded(
  clientAuthentication: ClientAuthentication,
  client: { id: string; secret: string | null } | null,
  parameters: Readonly<Record<string, string>>,
) {
  const headers = { accept: "application/json" };
  const known = client && { client_id: client.id, ...(client.secret === null ? {} : { client_secret: client.secret }) };
  if (clientAuthentication === "json") {
    const body = JSON.stringify({ ...parameters, ...known });
    return { headers: { ...headers, "content-type": "application/json" }, body };
  }
  const form = { ...headers, "content-type": "application/x-www-form-urlencoded" };
  if (clientAuthentication === "body" || !client || client.secret === null) {
    return { headers: form, body: new URLSearchParams({ ...parameters, ...known }).toString() };
  }
  // RFC 6749, 2.3.1: both parts are encoded before they are joined.
  const pair = `${encodeURIComponent(client.id)}:${encodeURIComponent(client.secret)}`;
  const authorization = `Basic ${Buffer.from(pair).toString("base64")}`;
  return { headers: { ...form, authorization }, body: new URLSearchParams({ ...parameters }).toString() };
}

function parseJson({ body }: OutgoingResponse): unknown {
  try {
    return parseBoundedJson(body.toString("utf8"));
  } catch {
    return null;
  }
}

/**
 * Codes that refuse a grant. GitHub and Slack send them with status 200, which they also use for failures that pass.
 */
const REFUSAL = /^(?:invalid|bad|incorrect|expired|unauthorized)_|^(?:access_denied|token_(?:expired|revoked))$/;

/** A status of 400, 401 or 403 means that the grant is no longer valid; any other failure may pass. */
function refusalOf(url: string, response: OutgoingResponse, body: unknown): StepError {
  const { host } = new URL(url);
  const { status } = response;
  const told = refusedBody.safeParse(body).data;
  const isRefused = status < 400 ? told !== undefined && REFUSAL.test(told.error) : [400, 401, 403].includes(status);
  const words = told ? [told.error, told.error_description].filter(Boolean).join(": ") : errorWords(response);
  const shown = words ? ` (${words.slice(0, 300)})` : "";
  if (isRefused) return new GrantRefused(`${host} refused to grant a token${shown}`);
  if (status >= 400) {
    // What a token server answers may contain credentials.
    const { reason, message, details } = statusError(host, response, new Date(), errorWords(response));
    return new AnsweredError(reason, message, detailsOf({ ...details, body: undefined }));
  }
  return new StepError("answer_unreadable", `${host} returned no token${told ? shown : ""}`);
}
