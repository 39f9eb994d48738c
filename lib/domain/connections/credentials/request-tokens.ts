import { errorWords } from "#lib/connectors/sdk/error-words";
import { isLimitCode } from "#lib/connectors/sdk/limit-signs";
import { type ClientAuthentication, factFor, type OAuthGrant, REGISTERED_CLIENT } from "#lib/connectors/sdk/oauth";
import { statusError } from "#lib/connectors/sdk/status-error";
import { detailsOf, retryRuleOf, StepError } from "#lib/contract/run/step-error";
import { AnsweredError } from "#lib/core/engine/answered-error";
import type { OutgoingResponse, SendRequest } from "#lib/core/engine/outgoing-request";
import { maskResponse } from "#lib/domain/connections/credentials/mask-secrets";
import { readGrantedToken, readRefusal, readTokenFields } from "#lib/domain/connections/credentials/read-token-answer";
import { placedAddress } from "#lib/domain/connections/credentials/service-addresses";
import type { Credentials, OAuthTokens } from "#lib/domain/connections/credentials/stored-credentials";
import { env } from "#lib/platform/config/env";

/** A person or a step waits, possibly behind the connection's lock. */
const TOKEN_TIMEOUT_MS = 8_000;

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
    throw unanswered(new URL(url).host, error);
  });
  const answer = readTokenFields(response);
  const granted = response.status < 400 && answer ? readGrantedToken(answer, new Date(requestedAt)) : null;
  if (!granted) {
    // A refusal may repeat what was sent, and its words are stored and shown.
    const masked = maskResponse(response, sentSecrets(client, parameters));
    throw refusalOf(url, masked, readTokenFields(masked), oauth);
  }
  const { accessToken, refreshToken, lifetimeMs, tokenType } = granted;
  // RFC 6749, 7.1: a token of a type that the client does not know is not used.
  if (tokenType !== null && UNUSABLE.has(tokenType)) {
    const message = `${new URL(url).host} grants tokens of the type ${tokenType}, but Signalbox sends bearer tokens only`;
    throw new StepError("VALIDATION_ERROR", message);
  }
  return {
    accessToken,
    // A service that keeps the old refresh token does not repeat it.
    refreshToken: refreshToken ?? credentials.tokens?.refreshToken ?? null,
    expiresAt: lifetimeMs === null ? null : new Date(requestedAt + lifetimeMs).toISOString(),
    ...(lifetimeMs === null ? {} : { lifetimeMs }),
  };
}

/** Whatever happened to the request for a token, the step's own call was not sent, so the step may be repeated. */
function unanswered(host: string, cause: unknown): StepError {
  if (!(cause instanceof StepError)) {
    return new StepError("service_unreachable", `${host} did not return a token in time`, { cause });
  }
  if (retryRuleOf(cause) !== "idempotent") return cause;
  return new StepError("service_unreachable", `${host} returned no token: ${cause.message}`, { cause });
}

const NO_SECRETS: ReadonlySet<string> = new Set(["grant_type", "redirect_uri", "scope"]);

/** Lists the texts of a request that no one may read in its answer. */
function sentSecrets(client: { id: string; secret: string | null } | null, parameters: TokenRequest["parameters"]) {
  const grants = Object.entries(parameters).flatMap(([name, value]) => (NO_SECRETS.has(name) ? [] : [value]));
  if (!client || client.secret === null) return grants;
  return [...grants, client.secret, basicPair({ ...client, secret: client.secret })];
}

/** RFC 6749, 2.3.1: both parts are encoded before they are joined. */
function basicPair({ id, secret }: { id: string; secret: string }): string {
  return Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString("base64");
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
  const authorization = `Basic ${basicPair({ id: client.id, secret: client.secret })}`;
  return { headers: { ...form, authorization }, body: new URLSearchParams({ ...parameters }).toString() };
}

/** Types of tokens that a request must prove by more than the token. */
const UNUSABLE: ReadonlySet<string> = new Set(["mac", "dpop", "pop", "hawk"]);

/**
 * The error codes that end a grant: those of RFC 6749, 5.2, and what GitHub, Slack and HubSpot have in their place. Any
 * other failure may pass, or is the fault of the request, and the person need not sign in again.
 */
const ENDED: ReadonlySet<string> = new Set([
  ...["invalid_grant", "invalid_client", "unauthorized_client"],
  ...["bad_refresh_token", "invalid_refresh_token", "expired_refresh_token", "refresh_token_expired"],
  ...["token_revoked", "token_expired", "expired_token", "invalid_auth", "account_inactive", "access_denied"],
  // OpenID Connect Core, 3.1.2.6, and Google, Salesforce.
  ...["interaction_required", "login_required", "consent_required"],
  ...["deleted_client", "disabled_client", "inactive_user", "inactive_org"],
  ...["bad_verification_code", "invalid_code", "code_already_used", "bad_auth_code"],
  ...["incorrect_client_credentials", "invalid_client_id", "bad_client_id", "bad_client_secret"],
]);
const LIMIT = "limits how often tokens are requested";
const TRANSIENT: ReadonlySet<string> = new Set(["temporarily_unavailable", "server_error", "internal_error"]);

function refusalOf(
  url: string,
  response: OutgoingResponse,
  answer: Readonly<Record<string, unknown>> | null,
  { refusalStatuses = [] }: OAuthGrant,
): StepError {
  const { host } = new URL(url);
  const { status } = response;
  const { error, description } = answer ? readRefusal(answer) : { error: null, description: null };
  const words = [error, description].filter((text) => text !== null).join(": ") || (errorWords(response) ?? "");
  const shown = words === "" ? "" : ` (${words.slice(0, 300)})`;
  const isEnded = error !== null && ENDED.has(error);
  if (isEnded || (answer && refusalStatuses.includes(status))) {
    return new GrantRefused(`${host} refused to grant a token${shown}`);
  }
  const usual = statusError(host, response, new Date(), words || undefined);
  // What a token server answers may contain credentials.
  const details = detailsOf({ ...usual.details, body: undefined });
  if (error !== null && isLimitCode(error))
    return new AnsweredError("RATE_LIMITED", `${host} ${LIMIT}${shown}`, details);
  const isRefused = status >= 400 && !(error !== null && TRANSIENT.has(error));
  if (isRefused && (answer || usual.code === "RATE_LIMITED")) {
    return new AnsweredError(usual.reason, usual.message, details);
  }
  // A page in place of an answer is that of a proxy, whatever its status.
  const what = status >= 400 ? `answered ${status}` : "returned no token";
  return new AnsweredError("UPSTREAM_ERROR", `${host} ${what}${shown}`, details);
}
