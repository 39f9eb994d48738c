import { MailRefusal } from "#lib/connectors/vendors/email/mail-refusal";

/** The fields that imapflow puts into its errors. */
interface ImapError {
  authenticationFailed?: unknown;
  responseText?: unknown;
  responseStatus?: unknown;
  serverResponseCode?: unknown;
  mailboxMissing?: unknown;
  code?: unknown;
}

/** RFC 5530: response codes of a failed login that do not mean a wrong password. */
const TRANSIENT = new Set(["UNAVAILABLE", "INUSE", "SERVERBUG", "CONTACTADMIN"]);

/** Maps an IMAP server's refusal to an HTTP status, or returns null if the error is not a response of the server. */
export function readImapFailure(error: unknown): MailRefusal | null {
  if (!(error instanceof Error)) return null;
  const { authenticationFailed, responseText, responseStatus, serverResponseCode, mailboxMissing, code } =
    error as ImapError;
  const words = typeof responseText === "string" && responseText !== "" ? responseText : error.message;
  if (code === "ETHROTTLE" || serverResponseCode === "LIMIT") return new MailRefusal(429, words);
  if (TRANSIENT.has(String(serverResponseCode))) return new MailRefusal(503, words);
  if (authenticationFailed === true) return new MailRefusal(401, words);
  if (mailboxMissing === true || serverResponseCode === "NONEXISTENT" || serverResponseCode === "TRYCREATE") {
    return new MailRefusal(404, `The folder does not exist (${words})`);
  }
  return responseStatus === "NO" || responseStatus === "BAD" ? new MailRefusal(400, words) : null;
}
