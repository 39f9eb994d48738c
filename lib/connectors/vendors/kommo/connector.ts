import { z } from "zod";
import { headerSecret } from "#lib/connectors/sdk/connection-fields";
import type {
  ConnectionField,
  ConnectionValues,
  ConnectorDefinition,
  ServiceContext,
} from "#lib/connectors/sdk/define-connector";
import { oauthAuth } from "#lib/connectors/sdk/oauth";
import { KOMMO_ACCOUNT_OPERATIONS } from "#lib/connectors/vendors/kommo/account-operations";
import { KOMMO_ATTACHED_OPERATIONS } from "#lib/connectors/vendors/kommo/attached-operations";
import { getFromKommo } from "#lib/connectors/vendors/kommo/call-kommo";
import { KOMMO_CATALOG_OPERATIONS } from "#lib/connectors/vendors/kommo/catalog-operations";
import { KOMMO_INBOX } from "#lib/connectors/vendors/kommo/inbox";
import { KOMMO_OBJECT_OPERATIONS } from "#lib/connectors/vendors/kommo/object-operations";
import { KOMMO_OPTIONS } from "#lib/connectors/vendors/kommo/options";
import { KOMMO_TRIGGERS } from "#lib/connectors/vendors/kommo/triggers";

/** Accounts are subdomains of these domains only. */
const ACCOUNT_HOST = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.(?:kommo\.com|amocrm\.com|amocrm\.ru)$/;

const DOMAIN_FIELD: ConnectionField = {
  name: "domain",
  label: "Account address",
  kind: "text",
  isRequired: true,
  placeholder: "example.kommo.com",
  help: "The address in your browser, such as example.kommo.com or example.amocrm.ru.",
  schema: z
    .string()
    .trim()
    .toLowerCase()
    .transform((text) => text.replace(/^https?:\/\//, "").replace(/\/.*$/, ""))
    .pipe(z.string().regex(ACCOUNT_HOST, "must be an address such as example.kommo.com or example.amocrm.ru")),
};

const origins = ({ base_url: baseUrl = "" }: ConnectionValues) => [new URL(baseUrl).origin];

/** https://www.amocrm.ru/developers/content/crm_platform/account-info */
async function askAccount(service: ServiceContext): Promise<string> {
  const account = await getFromKommo(service, { method: "GET", path: "/account" });
  const parsed = z.looseObject({ name: z.string() }).safeParse(account);
  return parsed.success
    ? `The account ${parsed.data.name} accepts the credentials.`
    : "The account accepts the credentials.";
}

export const KOMMO_CONNECTOR: ConnectorDefinition = {
  name: "kommo",
  label: "Kommo (amoCRM)",
  description:
    "Read and write the leads, contacts, companies, tasks, lists and conversations of a Kommo or amoCRM account",
  keywords: "amo crm sales customers pipeline leads",
  docs: "https://developers.kommo.com/docs/subject-area",
  addresses: { base_url: ({ domain }) => `https://${domain}/api/v4` },
  auths: [
    {
      name: "long_lived_token",
      label: "Long-lived token",
      fields: [
        DOMAIN_FIELD,
        {
          name: "token",
          label: "Long-lived token",
          kind: "secret",
          isRequired: true,
          placeholder: "eyJ0eXAiOiJKV1Qi…",
          help: "Create a private integration and copy the token from Settings, Integrations, Keys and scopes. Triggers require a token created by an administrator.",
          schema: headerSecret,
        },
      ],
      origins,
      sign: (request, { token }) => ({ ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } }),
      test: askAccount,
    },
    // https://www.kommo.com/developers/content/oauth/step-by-step/: an integration's scopes are set when it is
    // registered.
    oauthAuth({
      grant: "authorization_code",
      fields: [DOMAIN_FIELD],
      authorizeUrl: ({ domain = "" }) => `https://www.${domain.replace(/^[^.]+\./, "")}/oauth`,
      authorizeParameters: { mode: "popup" },
      tokenUrl: ({ domain }) => `https://${domain}/oauth2/access_token`,
      scopes: () => [],
      clientAuthentication: "json",
      hasPkce: false,
      renewalNamesRedirect: true,
      // It answers with application/problem+json, which has no error code of RFC 6749.
      refusalStatuses: [400, 401, 403],
      origins,
      test: askAccount,
    }),
  ],
  operations: {
    ...KOMMO_OBJECT_OPERATIONS,
    ...KOMMO_ATTACHED_OPERATIONS,
    ...KOMMO_ACCOUNT_OPERATIONS,
    ...KOMMO_CATALOG_OPERATIONS,
  },
  options: KOMMO_OPTIONS,
  triggers: KOMMO_TRIGGERS,
  inbox: KOMMO_INBOX,
};
