import type { LookupFunction } from "node:net";
import type { MailTarget } from "#lib/connectors/vendors/email/mail-address";
import type { JsonObject } from "#lib/contract/json-schema";

/** What a request to a mail server needs, whichever of the two it is. */
export interface MailSession {
  target: MailTarget;
  user: string;
  password: string;
  /** Checks every address that a name stands for, where the socket connects. */
  lookup: LookupFunction;
  params: JsonObject;
  headers: Readonly<Record<string, string>>;
  signal: AbortSignal;
}
