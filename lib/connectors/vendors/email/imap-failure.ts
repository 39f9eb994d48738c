import { MailRefusal } from "#lib/connectors/vendors/email/mail-refusal";

/** What imapflow puts into its errors. */
interface ImapError {
  authenticationFailed?: unknown;
  responseText?: unknown;
  responseStatus?: unknown;
  serverResponseCode?: unknown;
  mailboxMissing?: unknown;
  code?: unknown;
}

/** RFC 5530: not the password's fault. */
const TRANSIENT = new Set(["UNAVAILABLE", "INUSE", "SERVERBUG", "CONTACTADMIN"]);

/** What an IMAP server's no means; null where it was no answer of the server. */
export function readImapFailure(error: unknown): MailRefusal | null {
  if (!(error instanceof Error)) return null;
  const { authenticationFailed, responseText, responseStatus, serverResponseCode, mailboxMissing, code } =
    error as ImapError;
  const words = typeof responseText === "string" && responseText !== "" ? responseText : error.message;
  if (code === "ETHROTTLE" || serverResponseCode === "LIMIT") return new MailRefusal(429, words);
  if (TRANSIENT.has(String(serverResponseCode))) return new MailRefusal(503, words);
  if (authenticationFailed === true) return new MailRefusal(401, words);
  if (mailboxMissing === true || serverResponseCode === "NONEXISTENT" || serverResponseCode === "TRYCREATE") {
    return new MailRefusal(404, `There is no such folder (${words})`);
  }
  return responseStatus === "NO" || responseStatus === "BAD" ? new MailRefusal(400, words) : null;
}
