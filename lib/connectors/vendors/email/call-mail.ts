import type { z } from "zod";
import { callService } from "#lib/connectors/sdk/call-service";
import type { ServiceContext } from "#lib/connectors/sdk/define-connector";
import { type MailProtocol, mailOrigin } from "#lib/connectors/vendors/email/mail-address";
import { StepError } from "#lib/contract/run/step-error";

const NAMES: Readonly<Record<MailProtocol, string>> = { imap: "IMAP", smtp: "SMTP" };

/**
 * Sends a command to a connection's mail server. The mail client (mail-client.ts) attaches the credentials and opens
 * the connection, as the HTTP client does for other services.
 * @throws StepError
 */
export async function callMail<Answer>(
  service: ServiceContext,
  protocol: MailProtocol,
  command: string,
  { params, answer }: { params: object; answer: z.ZodType<Answer> },
): Promise<Answer> {
  const origin = mailOrigin(service.settings, protocol);
  if (origin === null) {
    throw new StepError("connection_missing", `connection_id: the connection has no ${NAMES[protocol]} server`);
  }
  const given = await callService(
    { ...service, settings: { ...service.settings, base_url: origin } },
    { method: "POST", path: `/${command}`, json: params },
  );
  const parsed = answer.safeParse(given);
  if (parsed.success) return parsed.data;
  throw new StepError(
    "answer_unreadable",
    `The mail server's response can't be read: ${parsed.error.issues[0]?.message}`,
  );
}
