import { z } from "zod";
import { callService } from "#lib/connectors/sdk/call-service";
import { headerSecret } from "#lib/connectors/sdk/connection-fields";
import type { ConnectionValues, ConnectorDefinition, ServiceContext } from "#lib/connectors/sdk/define-connector";
import { oauthAuth } from "#lib/connectors/sdk/oauth";
import { HUBSPOT_OPERATIONS } from "#lib/connectors/vendors/hubspot/operations";
import { HUBSPOT_OPTIONS } from "#lib/connectors/vendors/hubspot/options";
import { HUBSPOT_TRIGGERS } from "#lib/connectors/vendors/hubspot/triggers";

const SCOPES = ["oauth", ...["contacts", "companies", "deals"].flatMap((type) => scopesOf(type))];

function scopesOf(type: string): string[] {
  return [`crm.objects.${type}.read`, `crm.objects.${type}.write`];
}

const origins = ({ base_url: baseUrl = "" }: ConnectionValues) => [new URL(baseUrl).origin];

/** https://developers.hubspot.com/docs/api-reference/account-account-info-v3/guide */
async function askAccount(service: ServiceContext): Promise<string> {
  const account = await callService(service, { method: "GET", path: "/account-info/v3/details" });
  const parsed = z.looseObject({ portalId: z.number() }).safeParse(account);
  return parsed.success ? `HubSpot account ${parsed.data.portalId} accepts the token.` : "HubSpot accepts the token.";
}

export const HUBSPOT_CONNECTOR: ConnectorDefinition = {
  name: "hubspot",
  label: "HubSpot",
  description: "Read and write the contacts, companies and deals of a HubSpot account",
  docs: "https://developers.hubspot.com/docs/api-reference/overview",
  addresses: { base_url: "https://api.hubapi.com" },
  auths: [
    {
      name: "private_app",
      label: "Private app token",
      fields: [
        {
          name: "token",
          label: "Access token",
          kind: "secret",
          isRequired: true,
          placeholder: "pat-…",
          help: "The token of a private app with read and write scopes for crm.objects.contacts, companies and deals. Add crm.objects.owners.read to choose owners by name.",
          schema: headerSecret,
        },
      ],
      origins,
      sign: (request, { token }) => ({ ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } }),
      test: askAccount,
    },
    // https://developers.hubspot.com/docs/apps/developer-platform/build-apps/authentication/oauth/working-with-oauth
    oauthAuth({
      grant: "authorization_code",
      authorizeUrl: () => "https://app.hubspot.com/oauth/authorize",
      tokenUrl: () => "https://api.hubapi.com/oauth/v1/token",
      scopes: () => SCOPES,
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
