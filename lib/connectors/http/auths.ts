import { validateHeaderName } from "node:http";
import { z } from "zod";
import { RESERVED_HEADERS } from "#lib/connectors/http/build-request";
import { HOSTS_FIELD, headerSecret, TEST_URL_FIELD } from "#lib/connectors/sdk/connection-fields";
import type { AuthDefinition, ConnectionField, ServiceContext } from "#lib/connectors/sdk/define-connector";
import { errorWords } from "#lib/connectors/sdk/error-words";
import { type OAuthGrant, oauthAuth } from "#lib/connectors/sdk/oauth";
import { statusError } from "#lib/connectors/sdk/status-error";
import type { OutgoingRequest } from "#lib/core/engine/outgoing-request";

const PASSWORD = z.string().max(1_024, "must be at most 1024 characters long");
/** RFC 7617: the first colon ends the name. */
const USERNAME = z
  .string()
  .max(255, "must be at most 255 characters long")
  .regex(/^[^:\p{Cc}]*$/u, "must not contain a colon");
const PARAMETER = z
  .string()
  .trim()
  .max(100, "must be at most 100 characters long")
  .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, "must be a name such as x-api-key")
  .refine((name) => !RESERVED_HEADERS.has(name.toLowerCase()) && isHeaderName(name), "can't be set");

/**
 * Defines an auth of the generic HTTP connector. It knows no service, so each connection lists the hosts that may get
 * its credentials.
 */
function genericAuth(
  name: string,
  label: string,
  fields: ConnectionField[],
  sign: AuthDefinition["sign"],
): AuthDefinition {
  return {
    name,
    label,
    fields: [...fields, HOSTS_FIELD, TEST_URL_FIELD],
    origins: ({ hosts = "" }) => hosts.split("\n"),
    sign,
    test: askTestUrl,
  };
}

const ADDRESS = z
  .string()
  .trim()
  .max(2_000)
  .pipe(z.url({ protocol: /^https?$/, error: "must be a URL such as https://…" }));
const SCOPES_FIELD: ConnectionField = {
  name: "scopes",
  label: "Scopes",
  kind: "text",
  isRequired: false,
  help: "Separate scopes with spaces.",
  schema: z
    .string()
    .trim()
    .max(2_000)
    .regex(/^[!-~ ]+$/, "must contain only letters, digits, symbols and spaces"),
};
const TOKEN_URL_FIELD: ConnectionField = {
  name: "token_url",
  label: "Token URL",
  kind: "text",
  isRequired: true,
  placeholder: "https://auth.example.com/oauth/token",
  schema: ADDRESS,
};

/** Defines OAuth 2.0 for any service, by the URLs it documents. */
function genericOAuth(grant: OAuthGrant["grant"], more: readonly ConnectionField[]): AuthDefinition {
  return oauthAuth({
    grant,
    fields: [...more, TOKEN_URL_FIELD, SCOPES_FIELD, HOSTS_FIELD, TEST_URL_FIELD],
    authorizeUrl: ({ authorize_url: url = "" }) => url,
    tokenUrl: ({ token_url: url = "" }) => url,
    scopes: ({ scopes = "" }) => scopes.split(/ +/).filter((scope) => scope !== ""),
    clientAuthentication: "basic",
    isClientRequired: true,
    origins: ({ hosts = "" }) => hosts.split("\n"),
    test: askTestUrl,
  });
}

export const HTTP_AUTHS: readonly AuthDefinition[] = [
  genericAuth(
    "bearer",
    "Bearer token",
    [{ name: "token", label: "Token", kind: "secret", isRequired: true, schema: headerSecret }],
    (request, { token }) => withHeader(request, "authorization", `Bearer ${token}`),
  ),
  genericAuth(
    "basic",
    "Username and password",
    [
      { name: "username", label: "Username", kind: "text", isRequired: true, schema: USERNAME },
      { name: "password", label: "Password", kind: "secret", isRequired: false, schema: PASSWORD },
    ],
    (request, { username, password = "" }) => {
      const pair = Buffer.from(`${username}:${password}`, "utf8").toString("base64");
      return withHeader(request, "authorization", `Basic ${pair}`);
    },
  ),
  genericAuth(
    "api_key",
    "API key",
    [
      {
        name: "placement",
        label: "Send as",
        kind: "choice",
        isRequired: true,
        default: "header",
        options: [
          { value: "header", label: "Header" },
          { value: "query", label: "Query parameter" },
        ],
        schema: z.enum(["header", "query"]),
      },
      {
        name: "name",
        label: "Header or parameter name",
        kind: "text",
        isRequired: true,
        placeholder: "x-api-key",
        help: "The name from the documentation of the service.",
        schema: PARAMETER,
      },
      { name: "value", label: "Key", kind: "secret", isRequired: true, schema: headerSecret },
    ],
    (request, { placement, name = "", value = "" }) =>
      placement === "query" ? withQuery(request, name, value) : withHeader(request, name.toLowerCase(), value),
  ),
  genericOAuth("client_credentials", []),
  genericOAuth("authorization_code", [
    {
      name: "authorize_url",
      label: "Authorization URL",
      kind: "text",
      isRequired: true,
      placeholder: "https://auth.example.com/oauth/authorize",
      schema: ADDRESS,
    },
  ]),
];

function isHeaderName(name: string): boolean {
  try {
    validateHeaderName(name);
    return true;
  } catch {
    return false;
  }
}

function withHeader(request: OutgoingRequest, name: string, value: string): OutgoingRequest {
  return { ...request, headers: { ...request.headers, [name]: value } };
}

function withQuery(request: OutgoingRequest, name: string, value: string): OutgoingRequest {
  const url = new URL(request.url);
  url.searchParams.set(name, value);
  return { ...request, url: url.href };
}

async function askTestUrl({ settings, send, signal, now }: ServiceContext): Promise<string | null> {
  const { test_url: url } = settings;
  if (url === undefined) return null;
  const response = await send({ method: "GET", url, headers: { accept: "application/json, */*;q=0.5" }, signal });
  const { host } = new URL(url);
  if (response.status >= 400) throw statusError(host, response, now(), errorWords(response));
  return `${host} answered ${response.status}.`;
}
