import { z } from "zod";
import { RESERVED_HEADERS } from "#lib/connectors/http/build-request";
import {
  AUTHORIZE_URL_FIELD,
  CLIENT_FIELD,
  clientAuthenticationOf,
  EXPIRED_FIELD,
  PARAMETERS_FIELD,
  PKCE_FIELD,
  SCOPES_FIELD,
  SEPARATOR_FIELD,
  SERVICE_FIELD,
  TOKEN_URL_FIELD,
} from "#lib/connectors/http/oauth-fields";
import { HOSTS_FIELD, headerSecret, TEST_URL_FIELD } from "#lib/connectors/sdk/connection-fields";
import type {
  AuthDefinition,
  ConnectionField,
  ConnectionValues,
  ServiceContext,
} from "#lib/connectors/sdk/define-connector";
import { errorWords } from "#lib/connectors/sdk/error-words";
import { isHeaderName } from "#lib/connectors/sdk/is-header-name";
import { type OAuthGrant, oauthAuth } from "#lib/connectors/sdk/oauth";
import { statusError } from "#lib/connectors/sdk/status-error";
import type { OutgoingRequest } from "#lib/core/engine/outgoing-request";
import { setQueryParameter } from "#lib/support/urls/url-query";

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

/** Defines OAuth 2.0 for any service, by the facts that it documents. */
function genericOAuth(grant: OAuthGrant["grant"], fields: readonly ConnectionField[]): AuthDefinition {
  return oauthAuth({
    grant,
    fields: [...fields, EXPIRED_FIELD, HOSTS_FIELD, TEST_URL_FIELD],
    authorizeUrl: ({ authorize_url: url = "" }) => url,
    tokenUrl: ({ token_url: url = "" }) => url,
    scopes: ({ scopes = "" }) => scopes.split(/ +/).filter((scope) => scope !== ""),
    scopeSeparator: ({ scope_separator: separator }) => (separator === "comma" ? "," : " "),
    authorizeParameters: ({ authorize_parameters: text = "" }) => Object.fromEntries(new URLSearchParams(text)),
    clientAuthentication: clientAuthenticationOf,
    hasPkce: ({ pkce }) => pkce !== "off",
    expiredAnswers: ({ expired_answers: answers = "" }) => answers,
    isClientRequired: true,
    origins: ({ hosts = "" }) => hosts.split("\n"),
    test: askTestUrl,
  });
}

/** Puts the choice of a service before everything that it fills in. */
function withService(auth: AuthDefinition): AuthDefinition {
  return { ...auth, fields: [SERVICE_FIELD, ...auth.fields] };
}

/** Services ask for two keys, such as that of the account and that of the application; a few ask for three. */
const KEYS = ["_1", "_2", "_3"] as const;

interface KeyField {
  /** The start of the labels. */
  label: string;
  /** The end of the names. */
  suffix: string;
  isRequired: boolean;
}

/** The fields of one key, and where it is sent. */
function keyFields({ label, suffix, isRequired }: KeyField): ConnectionField[] {
  const labeled = (text: string) => (label === "" ? text : label + text.toLowerCase());
  return [
    {
      name: `placement${suffix}`,
      label: labeled("Send as"),
      kind: "choice",
      isRequired,
      default: "header",
      options: [
        { value: "header", label: "Header" },
        { value: "query", label: "Query parameter" },
      ],
      schema: z.enum(["header", "query"]),
    },
    {
      name: `name${suffix}`,
      label: labeled("Header or parameter name"),
      kind: "text",
      isRequired,
      placeholder: "x-api-key",
      help: "The name from the documentation of the service.",
      schema: PARAMETER,
    },
    {
      name: `value${suffix}`,
      label: label === "" ? "Key" : `${label}value`,
      kind: "secret",
      isRequired,
      schema: headerSecret,
    },
  ];
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
  genericAuth("api_key", "API key", keyFields({ label: "", suffix: "", isRequired: true }), (request, values) =>
    withKey(request, values, ""),
  ),
  genericAuth(
    "api_keys",
    "Several API keys",
    KEYS.flatMap((suffix, index) => keyFields({ label: `Key ${index + 1}: `, suffix, isRequired: index < 2 })),
    (request, values) => KEYS.reduce((signed, suffix) => withKey(signed, values, suffix), request),
  ),
  genericOAuth("client_credentials", [TOKEN_URL_FIELD, SCOPES_FIELD, SEPARATOR_FIELD, CLIENT_FIELD]),
  withService(
    genericOAuth("authorization_code", [
      AUTHORIZE_URL_FIELD,
      TOKEN_URL_FIELD,
      SCOPES_FIELD,
      SEPARATOR_FIELD,
      CLIENT_FIELD,
      PKCE_FIELD,
      PARAMETERS_FIELD,
    ]),
  ),
];

/** Adds one key of a connection; a key without a name or a value is not sent. */
function withKey(request: OutgoingRequest, values: ConnectionValues, suffix: string): OutgoingRequest {
  const { [`placement${suffix}`]: placement, [`name${suffix}`]: name = "", [`value${suffix}`]: value = "" } = values;
  if (name === "" || value === "") return request;
  if (placement === "query") return { ...request, url: setQueryParameter(request.url, name, value) };
  const header = name.toLowerCase();
  const { cookie } = request.headers;
  // A key in a cookie joins the cookies of the request.
  return withHeader(request, header, header === "cookie" && cookie !== undefined ? `${cookie}; ${value}` : value);
}

function withHeader(request: OutgoingRequest, name: string, value: string): OutgoingRequest {
  return { ...request, headers: { ...request.headers, [name]: value } };
}

async function askTestUrl({ settings, send, signal, now }: ServiceContext): Promise<string | null> {
  const { test_url: url } = settings;
  if (url === undefined) return null;
  const response = await send({ method: "GET", url, headers: { accept: "application/json, */*;q=0.5" }, signal });
  const { host } = new URL(url);
  if (response.status >= 400) throw statusError(host, response, now(), errorWords(response));
  return `${host} answered ${response.status}.`;
}
