import { z } from "zod";
import type { AuthDefinition, ConnectionField, ConnectionValues } from "#lib/connectors/sdk/define-connector";
import { ACCESS_TOKEN, type OAuthGrant, oauthAuth } from "#lib/connectors/sdk/oauth";
import { signInFields } from "#lib/connectors/vendors/email/mail-fields";

type Mailbox = Pick<AuthDefinition, "origins" | "test">;

const TENANT_FIELD: ConnectionField = {
  name: "tenant",
  label: "Tenant",
  kind: "text",
  isRequired: true,
  default: "common",
  help: 'The directory (tenant) ID of the app registration. Keep "common" if the app accepts accounts from any directory.',
  schema: z
    .string()
    .trim()
    .max(253)
    .regex(/^[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?$/, "must be a tenant ID or a domain"),
};

function microsoftUrl({ tenant = "common" }: ConnectionValues, endpoint: "authorize" | "token"): string {
  return `https://login.microsoftonline.com/${tenant}/oauth2/v2.0/${endpoint}`;
}

/**
 * https://learn.microsoft.com/exchange/client-developer/legacy-protocols/how-to-authenticate-an-imap-pop-smtp-application-by-using-oauth
 */
function microsoft365(mailbox: Mailbox): AuthDefinition {
  return signIn(mailbox, {
    name: "microsoft_365",
    label: "Microsoft 365: sign in",
    fields: [
      ...signInFields({
        imap: { host: "outlook.office365.com", port: "993", security: "tls" },
        smtp: { host: "smtp.office365.com", port: "587", security: "starttls" },
      }),
      TENANT_FIELD,
    ],
    authorizeUrl: (values) => microsoftUrl(values, "authorize"),
    tokenUrl: (values) => microsoftUrl(values, "token"),
    scopes: () => [
      "offline_access",
      "https://outlook.office.com/IMAP.AccessAsUser.All",
      "https://outlook.office.com/SMTP.Send",
    ],
  });
}

/** https://developers.google.com/workspace/gmail/imap/xoauth2-protocol */
function gmail(mailbox: Mailbox): AuthDefinition {
  return signIn(mailbox, {
    name: "gmail",
    label: "Gmail: sign in",
    fields: signInFields({
      imap: { host: "imap.gmail.com", port: "993", security: "tls" },
      smtp: { host: "smtp.gmail.com", port: "465", security: "tls" },
    }),
    authorizeUrl: () => "https://accounts.google.com/o/oauth2/v2/auth",
    // Without these parameters, Google returns no refresh token, or only the first time.
    authorizeParameters: { access_type: "offline", prompt: "consent" },
    tokenUrl: () => "https://oauth2.googleapis.com/token",
    scopes: () => ["https://mail.google.com/"],
  });
}

interface Provider extends Omit<OAuthGrant, "grant" | "clientAuthentication"> {
  name: string;
  label: string;
  fields: readonly ConnectionField[];
}

function signIn(mailbox: Mailbox, provider: Provider): AuthDefinition {
  const auth = oauthAuth({
    ...provider,
    ...mailbox,
    grant: "authorization_code",
    clientAuthentication: "body",
    // One application of the installation could not serve both providers.
    isClientRequired: true,
  });
  return {
    ...auth,
    // Only the mail client reads this header. The token is its last part, so that it is masked by itself.
    sign: (request, { user = "", [ACCESS_TOKEN]: token = "" }) => {
      const authorization = `XOAUTH2 ${Buffer.from(user).toString("base64")} ${token}`;
      return { ...request, headers: { ...request.headers, authorization } };
    },
  };
}

/** Mailboxes of providers that accept access tokens (SASL XOAUTH2) instead of passwords. */
export function mailSignIns(mailbox: Mailbox): AuthDefinition[] {
  return [microsoft365(mailbox), gmail(mailbox)];
}
