import type { LookupFunction } from "node:net";
import type { MailTarget } from "#lib/connectors/vendors/email/mail-address";
import type { JsonObject } from "#lib/contract/wire/json-schema";

/** How a session signs in: with a password, or with an access token (SASL XOAUTH2). */
export type MailLogin = { user: string; pass: string } | { user: string; accessToken: string };

/** What a request to a mail server needs, for IMAP and SMTP alike. */
export interface MailSession {
  target: MailTarget;
  login: MailLogin;
  /** Checks every address of a host name at the moment the socket connects. */
  lookup: LookupFunction;
  params: JsonObject;
  headers: Readonly<Record<string, string>>;
  signal: AbortSignal;
  /** Waits until the process has room for the rest of a large answer. */
  untilRoom?: () => Promise<void>;
}
