import { z } from "zod";
import type { ConnectionValues, ConnectorDefinition, ServiceContext } from "#lib/connectors/sdk/define-connector";
import type { OptionsLoader } from "#lib/connectors/sdk/page-options";
import { callMail } from "#lib/connectors/vendors/email/call-mail";
import { mailOrigin } from "#lib/connectors/vendors/email/mail-address";
import { MAIL_FIELDS } from "#lib/connectors/vendors/email/mail-fields";
import { mailSignIns } from "#lib/connectors/vendors/email/mail-sign-in";
import { EMAIL_OPERATIONS } from "#lib/connectors/vendors/email/operations";
import { EMAIL_TRIGGERS } from "#lib/connectors/vendors/email/triggers";
import { StepError } from "#lib/contract/run/step-error";
import { formatCount } from "#lib/support/format/format-number";

const answer = z.object({ folders: z.array(z.looseObject({ path: z.string(), use: z.string().nullish() })) });

export const EMAIL_OPTIONS: Readonly<Record<string, OptionsLoader>> = {
  folders: async (service) => {
    const { folders } = await callMail(service, "imap", "folders", { params: {}, answer });
    // Special uses are written as flags: \Trash.
    return {
      options: folders.map(({ path, use }) => ({ value: path, label: path, hint: use?.replace("\\", "") ?? "" })),
    };
  },
};

/**
 * Signs in to each configured server.
 * @throws StepError of the first server that rejects the connection
 */
async function askBoth(service: ServiceContext): Promise<string> {
  const told: string[] = [];
  if (mailOrigin(service.settings, "imap") !== null) {
    const answer = z.object({ messages: z.number() });
    const { messages } = await callMail(service, "imap", "check", { params: {}, answer });
    told.push(`the mailbox has ${formatCount(messages, "message")}`);
  }
  if (mailOrigin(service.settings, "smtp") !== null) {
    await callMail(service, "smtp", "check", { params: {}, answer: z.object({}) });
    told.push("mail can be sent");
  }
  if (told.length > 0) return `Signed in: ${told.join(", and ")}.`;
  throw new StepError("VALIDATION_ERROR", "Enter an IMAP server, an SMTP server, or both");
}

function basic(user: string | undefined, password: string | undefined): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
}

function serversOf(values: ConnectionValues): string[] {
  return [mailOrigin(values, "imap"), mailOrigin(values, "smtp")].filter((origin) => origin !== null);
}

export const EMAIL_CONNECTOR: ConnectorDefinition = {
  name: "email",
  label: "Email",
  description: "Read mail over IMAP and send mail over SMTP",
  keywords: "mail smtp imap gmail outlook inbox mailbox newsletter",
  docs: "https://www.rfc-editor.org/rfc/rfc9051",
  auths: [
    {
      name: "mailbox",
      label: "IMAP and SMTP",
      fields: MAIL_FIELDS,
      origins: serversOf,
      // Only the mail client reads this header; it signs in with the credentials.
      sign: (request, { user, password, smtp_user: smtpUser, smtp_password: smtpPassword }) => {
        const isSending = request.url.startsWith("smtp");
        const authorization = isSending ? basic(smtpUser ?? user, smtpPassword ?? password) : basic(user, password);
        return { ...request, headers: { ...request.headers, authorization } };
      },
      test: askBoth,
    },
    ...mailSignIns({ origins: serversOf, test: askBoth }),
  ],
  operations: EMAIL_OPERATIONS,
  options: EMAIL_OPTIONS,
  triggers: EMAIL_TRIGGERS,
};
