import { z } from "zod";
import { RESERVED_HEADERS } from "#lib/connectors/http/build-request";
import { checkIssuer, discoverAuthorization } from "#lib/connectors/mcp/discover-authorization";
import { listTools } from "#lib/connectors/mcp/list-tools";
import { headerSecret } from "#lib/connectors/sdk/connection-fields";
import type {
  AuthDefinition,
  ConnectionField,
  ConnectionValues,
  ServiceContext,
} from "#lib/connectors/sdk/define-connector";
import { isHeaderName } from "#lib/connectors/sdk/is-header-name";
import { oauthAuth } from "#lib/connectors/sdk/oauth";

/** The protocol's own headers, which a key must not replace. */
const OWN_HEADERS = /^mcp-|^(?:accept|last-event-id|idempotency-key|traceparent)$/i;

export const SERVER_URL_FIELD: ConnectionField = {
  name: "server_url",
  label: "Server URL",
  kind: "text",
  isRequired: true,
  placeholder: "https://mcp.example.com/mcp",
  help: "The address of the server's Streamable HTTP endpoint, from its documentation.",
  schema: z
    .string()
    .trim()
    .max(2_000, "must be at most 2000 characters long")
    .transform((text, context) => {
      const url = URL.parse(text);
      const isUsable = url && /^https?:$/.test(url.protocol) && url.username + url.password + url.hash === "";
      if (isUsable) return url.href;
      context.addIssue({ code: "custom", message: "must be a URL such as https://mcp.example.com/mcp" });
      return z.NEVER;
    }),
};

const HEADER_FIELD: ConnectionField = {
  name: "header",
  label: "Header name",
  kind: "text",
  isRequired: true,
  placeholder: "x-api-key",
  help: "The name from the documentation of the server.",
  schema: z
    .string()
    .trim()
    .max(100, "must be at most 100 characters long")
    .refine((name) => isHeaderName(name) && !RESERVED_HEADERS.has(name.toLowerCase()), "can't be set")
    .refine((name) => !OWN_HEADERS.test(name), "belongs to the protocol"),
};

const CLIENT_HELP = "Leave both fields empty to let Signalbox register itself with the server.";

const SCOPES_FIELD: ConnectionField = {
  name: "scopes",
  label: "Scopes",
  kind: "text",
  isRequired: false,
  help: "Leave empty to request the scopes that the server suggests. Separate scopes with spaces.",
  schema: z
    .string()
    .trim()
    .max(2_000)
    .regex(/^[!-~ ]+$/, "must contain only letters, digits, symbols and spaces"),
};

const KEY_FIELD: ConnectionField = {
  name: "key",
  label: "Key",
  kind: "secret",
  isRequired: true,
  schema: headerSecret,
};

export const MCP_AUTHS: readonly AuthDefinition[] = [
  keyAuth("bearer", "Bearer token", [{ ...KEY_FIELD, label: "Token" }], ({ key }) => [
    "authorization",
    `Bearer ${key}`,
  ]),
  keyAuth("header", "Header with a key", [HEADER_FIELD, KEY_FIELD], ({ header = "", key = "" }) => [
    header.toLowerCase(),
    key,
  ]),
  signInAuth(),
  keyAuth("none", "None", [], () => null),
];

/** OAuth 2.1 as MCP specifies it: the server's address is enough. */
function signInAuth(): AuthDefinition {
  const auth = oauthAuth({
    grant: "authorization_code",
    label: "Sign in (OAuth)",
    fields: [SCOPES_FIELD],
    prepare: discoverAuthorization,
    authorizeUrl: ({ authorize_url: url = "" }) => url,
    tokenUrl: ({ token_url: url = "" }) => url,
    scopes: ({ granted_scopes: scopes = "" }) => scopes.split(" ").filter((scope) => scope !== ""),
    authorizeParameters: resourceOf,
    tokenParameters: resourceOf,
    clientAuthentication: ({ token_auth: how }) => (how === "basic" ? "basic" : "body"),
    readCallback: checkIssuer,
    origins: originsOf,
    test: describeServer,
  });
  const fields = auth.fields.map((field) => (field.name === "client_id" ? { ...field, help: CLIENT_HELP } : field));
  return { ...auth, fields: [SERVER_URL_FIELD, ...fields] };
}

/** The token is for this server only (RFC 8707). */
function resourceOf({ resource = "" }: ConnectionValues): Record<string, string> {
  return { resource };
}

function keyAuth(
  name: string,
  label: string,
  fields: readonly ConnectionField[],
  headerOf: (values: Readonly<Record<string, string>>) => readonly [string, string] | null,
): AuthDefinition {
  return {
    name,
    label,
    fields: [SERVER_URL_FIELD, ...fields],
    origins: originsOf,
    sign: (request, values) => {
      const header = headerOf(values);
      return header ? { ...request, headers: { ...request.headers, [header[0]]: header[1] } } : request;
    },
    test: describeServer,
  };
}

/** The credentials go to the server only. */
export function originsOf({ server_url: url = "" }: Readonly<Record<string, string>>): string[] {
  return [URL.parse(url)?.origin ?? ""];
}

/** Names the server, its version and what it offers. */
export async function describeServer(service: ServiceContext): Promise<string> {
  const { server, tools } = await listTools(service);
  const version = server.version === "" ? "" : ` ${server.version}`;
  const count = `${tools.length} ${tools.length === 1 ? "tool" : "tools"}`;
  return `${server.name}${version} offers ${count} (MCP ${server.protocol}).`;
}
