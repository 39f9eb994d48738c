import { z } from "zod";
import { callService } from "#lib/connectors/sdk/call-service";
import { headerSecret } from "#lib/connectors/sdk/connection-fields";
import type {
  ConnectionField,
  ConnectionValues,
  ConnectorDefinition,
  ServiceContext,
} from "#lib/connectors/sdk/define-connector";
import { oauthAuth } from "#lib/connectors/sdk/oauth";
import { HUBSPOT_VERSION } from "#lib/connectors/vendors/hubspot/object-pages";
import { HUBSPOT_OPERATIONS } from "#lib/connectors/vendors/hubspot/operations";
import { HUBSPOT_OPTIONS } from "#lib/connectors/vendors/hubspot/options";
import { HUBSPOT_TRIGGERS } from "#lib/connectors/vendors/hubspot/triggers";

const SCOPES = ["oauth", ...["contacts", "companies", "deals"].flatMap((type) => scopesOf(type))];

function scopesOf(type: string): string[] {
  return [`crm.objects.${type}.read`, `crm.objects.${type}.write`];
}

/** An application refuses scopes that are not in its settings, so those of later operations are a choice. */
const SCOPES_FIELD: ConnectionField = {
  name: "more_scopes",
  label: "More scopes",
  kind: "text",
  isRequired: false,
  placeholder: "tickets crm.objects.owners.read",
  help: "Scopes that your HubSpot app has in addition to contacts, companies and deals, separated by spaces. Tickets need the scope tickets.",
  schema: z
    .string()
    .trim()
    .max(2_000)
    .regex(/^[!-~ ]+$/, "must contain only letters, digits, symbols and spaces"),
};

const origins = ({ base_url: baseUrl = "" }: ConnectionValues) => [new URL(baseUrl).origin];

async function askAccount(service: ServiceContext): Promise<string> {
  const account = await callService(service, { method: "GET", path: `/account-info/${HUBSPOT_VERSION}/details` });
  const parsed = z.looseObject({ portalId: z.number() }).safeParse(account);
  return parsed.success ? `HubSpot account ${parsed.data.portalId} accepts the token.` : "HubSpot accepts the token.";
}

export const HUBSPOT_CONNECTOR: ConnectorDefinition = {
  name: "hubspot",
  label: "HubSpot",
  description: "Read and write the contacts, companies, deals, tickets and notes of a HubSpot account",
  keywords: "crm sales marketing customers pipeline",
  docs: "https://developers.hubspot.com/docs/api-reference/overview",
  addresses: { base_url: "https://api.hubapi.com" },
  auths: [
    {
      name: "private_app",
      label: "Service key or app token",
      fields: [
        {
          name: "token",
          label: "Access token",
          kind: "secret",
          isRequired: true,
          placeholder: "pat-…",
          // https://developers.hubspot.com/docs/apps/developer-platform/build-apps/authentication/account-service-keys
          help: "A service key (Development, Keys, Service keys) or the token of a private app, with read and write scopes for crm.objects.contacts, companies and deals. Add tickets for tickets, and crm.objects.owners.read to choose owners by name.",
          schema: headerSecret,
        },
      ],
      origins,
      sign: (request, { token }) => ({ ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } }),
      test: askAccount,
    },
    // https://developers.hubspot.com/docs/api-reference/legacy/authentication/oauth-tokens/v1/migration-guide: tokens that
    // v1 granted are renewed here too.
    oauthAuth({
      grant: "authorization_code",
      authorizeUrl: () => "https://app.hubspot.com/oauth/authorize",
      tokenUrl: () => "https://api.hubapi.com/oauth/2026-03/token",
      fields: [SCOPES_FIELD],
      scopes: ({ more_scopes: more = "" }) => [...SCOPES, ...more.split(/ +/).filter((scope) => scope !== "")],
      clientAuthentication: "body",
      hasPkce: false,
      origins,
      test: askAccount,
    }),
  ],
  operations: HUBSPOT_OPERATIONS,
  options: HUBSPOT_OPTIONS,
  triggers: HUBSPOT_TRIGGERS,
};
