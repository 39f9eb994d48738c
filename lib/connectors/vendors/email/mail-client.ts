import { isIP, type LookupFunction } from "node:net";
import { blocked } from "#lib/connectors/sdk/check-target";
import { nameFailure, tlsFailure } from "#lib/connectors/sdk/connection-failure";
import { isAddressAllowed, isHostListed, type OutboundPolicy } from "#lib/connectors/sdk/outbound-policy";
import { askImap } from "#lib/connectors/vendors/email/imap-session";
import type { MailTarget } from "#lib/connectors/vendors/email/mail-address";
import { MailRefusal } from "#lib/connectors/vendors/email/mail-refusal";
import type { MailLogin } from "#lib/connectors/vendors/email/mail-session";
import { askSmtp } from "#lib/connectors/vendors/email/smtp-session";
import { StepError } from "#lib/contract/run/step-error";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import type { OutgoingRequest, OutgoingResponse } from "#lib/core/engine/outgoing-request";

const MAIL_PORTS = [25, 143, 465, 587, 993];
const BASIC = /^Basic (.+)$/;
const XOAUTH2 = /^XOAUTH2 (\S+) (\S+)$/;

interface MailWay {
  policy: OutboundPolicy;
  lookup: LookupFunction;
  /** Resolves a name in the turn of the request's workspace, so that the lookup knows it. */
  findHost(host: string): Promise<void>;
}

/**
 * Sends a request to a mail server and returns an HTTP-like response: 401 if the server rejects the credentials, 404 if
 * an object does not exist, and a JSON body. Each request opens and closes its own connection.
 * @throws StepError VALIDATION_ERROR for an address that must not be reached, UPSTREAM_ERROR if there is no response
 */
export async function sendToMailServer(
  target: MailTarget,
  outgoing: OutgoingRequest,
  { policy, lookup, findHost }: MailWay,
): Promise<OutgoingResponse> {
  const { signal } = outgoing;
  signal.throwIfAborted();
  checkMailTarget(policy, target);
  await findHost(target.host);
  const signed = outgoing.credentials?.sign(outgoing) ?? outgoing;
  const session = {
    target,
    lookup,
    signal,
    login: loginOf(signed),
    params: JSON.parse(typeof outgoing.body === "string" ? outgoing.body : "{}") as JsonObject,
    headers: outgoing.headers,
    ...(outgoing.untilRoom ? { untilRoom: outgoing.untilRoom } : {}),
  };
  try {
    return answerOf(200, await (target.protocol === "imap" ? askImap(session) : askSmtp(session)));
  } catch (error) {
    signal.throwIfAborted();
    const refusal = error instanceof MailRefusal ? error : readImapFailure(error);
    if (refusal) return answerOf(refusal.status, { message: refusal.message });
    throw noAnswer(target, error);
  }
}

/** @throws StepError */
function checkMailTarget(policy: OutboundPolicy, { host, port }: MailTarget): void {
  if (isIP(host) && !isAddressAllowed(policy, host, host)) throw blocked(host, host);
  if (port < 1024 && !MAIL_PORTS.includes(port) && !isHostListed(policy, host)) {
    throw new StepError("address_not_allowed", `Port ${port} of ${host} is not a mail port`);
  }
}

function loginOf({ headers }: OutgoingRequest): MailLogin {
  const [, signedIn, accessToken] = XOAUTH2.exec(headers.authorization ?? "") ?? [];
  if (signedIn && accessToken) return { user: Buffer.from(signedIn, "base64").toString("utf8"), accessToken };
  const pair = Buffer.from(BASIC.exec(headers.authorization ?? "")?.[1] ?? "", "base64").toString("utf8");
  const colon = pair.indexOf(":");
  return { user: pair.slice(0, colon), pass: pair.slice(colon + 1) };
}

function answerOf(status: number, body: object): OutgoingResponse {
  return { status, headers: { "content-type": "application/json" }, body: Buffer.from(JSON.stringify(body)) };
}

function noAnswer({ host, port }: MailTarget, cause: unknown): StepError {
  if (cause instanceof StepError) return cause;
  const { code, message } = cause as { code?: unknown; message?: unknown };
  const target = { hostname: host, host: `${host}:${port}` };
  const known = nameFailure(target, cause) ?? tlsFailure(target, { code: certificateFault(code, message) ?? code });
  if (known) return known;
  const reason = [code, message].filter((part) => typeof part === "string" && part !== "").join(": ");
  return new StepError("service_unreachable", `No answer from ${host}:${port}: ${reason.slice(0, 300)}`, { cause });
}

/** nodemailer replaces the code of an untrusted certificate by its own, and keeps the words. */
function certificateFault(code: unknown, message: unknown): string | null {
  if (code !== "ESOCKET" && code !== "ETLS") return null;
  const words = typeof message === "string" ? message : "";
  if (/certificate has expired/i.test(words)) return "CERT_HAS_EXPIRED";
  return /certificate/i.test(words) ? "CERT_UNTRUSTED" : null;
}

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
