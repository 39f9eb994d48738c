import { z } from "zod";
import { readMetadata } from "#lib/connectors/mcp/read-metadata";
import { registerClient } from "#lib/connectors/mcp/register-client";
import type { ConnectionValues } from "#lib/connectors/sdk/define-connector";
import type { SignInService } from "#lib/connectors/sdk/oauth";
import { StepError } from "#lib/contract/run/step-error";

const REDIRECTS_ON_HOST = 2;

const endpoint = z.url({ protocol: /^https?$/ }).max(2_000);
/** RFC 9728. */
const resourceSchema = z.object({
  resource: endpoint,
  authorization_servers: z.array(endpoint).optional().catch(undefined),
  scopes_supported: z.array(z.string()).optional().catch(undefined),
});
/** RFC 8414, or OpenID Connect Discovery. */
const serverSchema = z.object({
  issuer: endpoint,
  authorization_endpoint: endpoint,
  token_endpoint: endpoint,
  registration_endpoint: endpoint.optional(),
  scopes_supported: z.array(z.string()).optional().catch(undefined),
  code_challenge_methods_supported: z.array(z.string()).optional().catch(undefined),
  token_endpoint_auth_methods_supported: z.array(z.string()).optional().catch(undefined),
  authorization_response_iss_parameter_supported: z.boolean().optional().catch(undefined),
});
export type AuthorizationServer = z.output<typeof serverSchema>;

/**
 * Finds out where a person signs in for an MCP server, and registers there, unless the connection has a client of its own:
 * protected resource metadata (RFC 9728), authorization server metadata (RFC 8414, or OpenID Connect), dynamic
 * registration (RFC 7591).
 * @returns what the sign-in and every renewal need, to store with the connection's fields
 * @throws StepError naming what the server lacks
 */
export async function discoverAuthorization(
  values: ConnectionValues,
  service: SignInService,
): Promise<Record<string, string>> {
  const { server_url: serverUrl = "", client_id: ownClient } = values;
  const challenge = await readChallenge(serverUrl, service);
  const resource = await findResource(serverUrl, challenge.metadataUrl, service);
  // Servers from before RFC 9728 are their own authorization servers.
  const issuer = resource?.authorization_servers?.[0] ?? new URL(serverUrl).origin;
  const server = await findServer(issuer, service);
  if (!server.code_challenge_methods_supported?.includes("S256")) {
    throw new StepError("VALIDATION_ERROR", `${issuer} does not support PKCE with S256, which MCP requires`);
  }
  assertEncrypted(serverUrl, [server.authorization_endpoint, server.token_endpoint]);
  const client = ownClient === undefined ? await registerClient(server, service) : {};
  const scopes = values.scopes ?? challenge.scope ?? resource?.scopes_supported?.join(" ") ?? "";
  const methods = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
  return {
    issuer: server.issuer,
    authorize_url: server.authorization_endpoint,
    token_url: server.token_endpoint,
    token_auth: methods.includes("client_secret_basic") ? "basic" : "body",
    resource: resource?.resource ?? serverUrl,
    granted_scopes: withOfflineAccess(scopes, server),
    names_issuer: String(server.authorization_response_iss_parameter_supported === true),
    ...client,
  };
}

/** A server that is reached over https must not lead to a sign-in that anyone on the way can read. */
function assertEncrypted(serverUrl: string, endpoints: readonly string[]): void {
  const plain = serverUrl.startsWith("https:") ? endpoints.find((url) => !url.startsWith("https:")) : undefined;
  if (plain !== undefined) throw new StepError("VALIDATION_ERROR", `The sign-in address ${plain} does not use https`);
}

/** OpenID providers grant no refresh token without this scope. */
function withOfflineAccess(scopes: string, { scopes_supported: supported = [] }: AuthorizationServer): string {
  const asked = scopes.split(/ +/).filter((scope) => scope !== "");
  const isMissing = supported.includes("offline_access") && !asked.includes("offline_access");
  return [...asked, ...(isMissing ? ["offline_access"] : [])].join(" ");
}

/** Sends a request without credentials: the answer says where the metadata is, and which scopes it wants. */
async function readChallenge(serverUrl: string, service: SignInService) {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 0, method: "ping" });
  const headers = { accept: "application/json, text/event-stream", "content-type": "application/json" };
  const { status, headers: answered } = await service.send({
    method: "POST",
    url: serverUrl,
    headers,
    body,
    signal: service.signal,
    redirectsOnHost: REDIRECTS_ON_HOST,
  });
  const challenge = status === 401 ? (answered["www-authenticate"] ?? "") : "";
  return { metadataUrl: parameterOf(challenge, "resource_metadata"), scope: parameterOf(challenge, "scope") };
}

function parameterOf(challenge: string, name: string): string | undefined {
  const [, quoted, plain] =
    new RegExp(`[\\s,]${name}=(?:"([^"]{1,2000})"|([^\\s",]{1,2000}))`, "i").exec(challenge) ?? [];
  return quoted ?? plain;
}

async function findResource(serverUrl: string, metadataUrl: string | undefined, service: SignInService) {
  const { origin, pathname } = new URL(serverUrl);
  const wellKnown = `${origin}/.well-known/oauth-protected-resource`;
  const places = metadataUrl ? [metadataUrl] : [`${wellKnown}${pathname === "/" ? "" : pathname}`, wellKnown];
  const found = await firstDocument(places, resourceSchema, service);
  if (!found) return null;
  // Otherwise any server could make people sign in for another one, and get its token.
  const described = new URL(found.resource);
  const isAbove = `${pathname}/`.startsWith(`${described.pathname.replace(/\/$/, "")}/`);
  if (described.origin !== origin || !isAbove) {
    throw new StepError("VALIDATION_ERROR", `The metadata of ${serverUrl} describes another server, ${found.resource}`);
  }
  return found;
}

async function findServer(issuer: string, service: SignInService): Promise<AuthorizationServer> {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, "");
  const places = [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}/.well-known/openid-configuration${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
  ];
  const found = await firstDocument([...new Set(places)], serverSchema, service);
  if (!found) throw new StepError("VALIDATION_ERROR", `${issuer} does not say how to sign in (RFC 8414)`);
  if (found.issuer.replace(/\/$/, "") !== issuer.replace(/\/$/, "")) {
    throw new StepError("VALIDATION_ERROR", `The metadata of ${issuer} belongs to another issuer, ${found.issuer}`);
  }
  return found;
}

/** Returns the first document that exists. */
async function firstDocument<Schema extends z.ZodType>(
  places: readonly string[],
  schema: Schema,
  { send, signal }: SignInService,
): Promise<z.output<Schema> | null> {
  for (const url of places) {
    const headers = { accept: "application/json" };
    const response = await send({ method: "GET", url, headers, signal, redirectsOnHost: REDIRECTS_ON_HOST });
    if (response.status >= 500) throw new StepError("UPSTREAM_ERROR", `${url} answered ${response.status}`);
    if (response.status >= 400) continue;
    const document = readMetadata(response);
    // Many sites answer every path with a page.
    if (document === null) continue;
    const read = schema.safeParse(document);
    if (read.success) return read.data;
    const { path, message } = read.error.issues[0] ?? { path: [], message: "is not valid" };
    throw new StepError("answer_unreadable", `${url}: ${path.join(".")} ${message}`);
  }
  return null;
}

/**
 * Checks that a callback comes from the server at which the person signed in (RFC 9207).
 * @throws StepError
 */
export function checkIssuer(query: URLSearchParams, values: ConnectionValues): Record<string, string> {
  const given = query.get("iss");
  if (given === null ? values.names_issuer !== "true" : given === values.issuer) return {};
  throw new StepError("VALIDATION_ERROR", "iss: the answer comes from another authorization server");
}
