import { z } from "zod";
import type {
  AuthDefinition,
  ConnectionField,
  ConnectionValues,
  ConnectorDefinition,
  ServiceContext,
} from "#lib/connectors/sdk/define-connector";
import { ACCESS_TOKEN, oauthAuth } from "#lib/connectors/sdk/oauth";
import { callBitrix24, V3 } from "#lib/connectors/vendors/bitrix24/call-bitrix24";
import { BITRIX24_CRM_OPERATIONS } from "#lib/connectors/vendors/bitrix24/crm-operations";
import { BITRIX24_INBOX } from "#lib/connectors/vendors/bitrix24/inbox";
import { BITRIX24_OPTIONS } from "#lib/connectors/vendors/bitrix24/options";
import { BITRIX24_TASK_OPERATIONS } from "#lib/connectors/vendors/bitrix24/task-operations";
import { BITRIX24_TRIGGERS } from "#lib/connectors/vendors/bitrix24/triggers";
import { StepError } from "#lib/contract/run/step-error";
import { isJsonObject } from "#lib/support/json";

/** The value of a connection that holds the server which granted its tokens. */
const SERVER = "authorization_server";

/**
 * Bitrix24's authorization servers: the one of the eastern region and the one of all other regions (`DefaultOAuthServerUrl`
 * of https://github.com/bitrix24/b24phpsdk). A portal can be self-hosted, so the client secret is sent to these only.
 */
const EAST = "oauth.bitrix24.tech";
const SERVERS: ReadonlySet<string> = new Set([EAST, "oauth.bitrix.info"]);

/**
 * Reads the server that exchanges the code: https://apidocs.bitrix24.com/settings/oauth/index.html, `server_domain`.
 * Anyone can write a callback, so an unknown server ends the sign-in.
 * @throws StepError
 */
function readAuthorizationServer(query: URLSearchParams): Record<string, string> {
  const server = query.get("server_domain")?.toLowerCase();
  if (server === undefined) return {};
  if (!SERVERS.has(server)) {
    throw new StepError("VALIDATION_ERROR", "server_domain: is not an authorization server of Bitrix24");
  }
  return { [SERVER]: server };
}

/** Returns the token endpoint of a connection. Connections without a stored server got their tokens from the east. */
function tokenUrlOf(values: ConnectionValues): string {
  const server = values[SERVER] ?? EAST;
  return `https://${SERVERS.has(server) ? server : EAST}/oauth/token/`;
}

/**
 * https://apidocs.bitrix24.com/local-integrations/local-webhooks.html: /rest/<user>/<code>/, optionally followed by a
 * method.
 */
const INBOUND_URL = /^(https:\/\/[a-z0-9.-]+(?::\d+)?\/rest\/\d+\/[A-Za-z0-9]+)(?:\/.*)?$/i;
const HOST = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+(?::\d+)?$/;

const WEBHOOK_FIELD: ConnectionField = {
  name: "webhook_url",
  label: "Inbound webhook",
  kind: "secret",
  isRequired: true,
  placeholder: "https://example.bitrix24.com/rest/1/…/",
  help: "Create one under Developer resources, Other, Inbound webhook, with the permissions CRM, Tasks (task and tasks) and Users. Paste the whole URL; it is a secret.",
  schema: z
    .string()
    .trim()
    .regex(INBOUND_URL, "must look like https://example.bitrix24.com/rest/1/code/")
    .transform((text) => text.replace(INBOUND_URL, "$1")),
};

const DOMAIN_FIELD: ConnectionField = {
  name: "domain",
  label: "Bitrix24 address",
  kind: "text",
  isRequired: true,
  placeholder: "example.bitrix24.com",
  schema: z
    .string()
    .trim()
    .toLowerCase()
    .transform((text) => text.replace(/^https:\/\//, "").replace(/\/.*$/, ""))
    .pipe(z.string().regex(HOST, "must be an address such as example.bitrix24.com")),
};

const origins = ({ base_url: baseUrl = "" }: ConnectionValues) => [new URL(baseUrl).origin];

function restAddress({ domain, webhook_url: inbound }: ConnectionValues): string {
  return `https://${domain ?? new URL(inbound ?? "").host}/rest`;
}

async function askProfile(service: ServiceContext): Promise<string> {
  const { result } = await callBitrix24(service, "profile");
  const parsed = z.looseObject({ NAME: z.string(), LAST_NAME: z.string().nullish() }).safeParse(result);
  if (!parsed.success) return "Bitrix24 accepts the credentials.";
  return `Connected to Bitrix24 as ${[parsed.data.NAME, parsed.data.LAST_NAME].filter((name) => name).join(" ")}.`;
}

const INBOUND_WEBHOOK: AuthDefinition = {
  name: "inbound_webhook",
  label: "Inbound webhook",
  fields: [WEBHOOK_FIELD],
  origins,
  sign: (request, { webhook_url: inbound = "", base_url: baseUrl = "" }) => {
    if (!request.url.startsWith(`${baseUrl}/`)) return request;
    const caller = new URL(inbound).pathname.replace(/^\/rest/i, "");
    const base = request.url.startsWith(`${baseUrl}${V3}/`) ? baseUrl + V3 : baseUrl;
    return { ...request, url: base + caller + request.url.slice(base.length) };
  },
  test: askProfile,
};

/** https://apidocs.bitrix24.com/settings/oauth/index.html: permissions are set when the application is registered. */
const APPLICATION = oauthAuth({
  grant: "authorization_code",
  label: "Local application (OAuth 2.0)",
  fields: [DOMAIN_FIELD],
  authorizeUrl: ({ domain }) => `https://${domain}/oauth/authorize/`,
  tokenUrl: tokenUrlOf,
  readCallback: readAuthorizationServer,
  scopes: () => [],
  clientAuthentication: "body",
  hasPkce: false,
  origins,
  test: askProfile,
});

export const BITRIX24_CONNECTOR: ConnectorDefinition = {
  name: "bitrix24",
  label: "Bitrix24",
  description: "Read and write the deals, leads, contacts, companies and tasks of a Bitrix24 account",
  keywords: "bitrix crm sales customers pipeline leads",
  docs: "https://apidocs.bitrix24.com/api-reference/index.html",
  addresses: { base_url: restAddress },
  auths: [
    INBOUND_WEBHOOK,
    {
      ...APPLICATION,
      // The documentation places the token in the parameter `auth`.
      sign: (request, values) => {
        const signed = APPLICATION.sign(request, values);
        return { ...signed, ...(typeof request.body === "string" ? { body: withToken(request.body, values) } : {}) };
      },
    },
  ],
  operations: { ...BITRIX24_CRM_OPERATIONS, ...BITRIX24_TASK_OPERATIONS },
  options: BITRIX24_OPTIONS,
  triggers: BITRIX24_TRIGGERS,
  inbox: BITRIX24_INBOX,
};

function withToken(body: string, values: ConnectionValues): string {
  const params: unknown = JSON.parse(body);
  return JSON.stringify(isJsonObject(params) ? { ...params, auth: values[ACCESS_TOKEN] } : params);
}
