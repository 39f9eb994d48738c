import type { ConnectionValues } from "#lib/connectors/sdk/define-connector";
import type { OutgoingRequest } from "#lib/core/engine/outgoing-request";

export type MailProtocol = "imap" | "smtp";
/** `starttls`: the connection begins in the clear and is encrypted before anything is said; `none` stays in the clear. */
export type MailSecurity = "tls" | "starttls" | "none";

/** A mail server as a request's URL names it: `imaps://imap.example.com:993/search`. */
export interface MailTarget {
  protocol: MailProtocol;
  security: MailSecurity;
  host: string;
  port: number;
  /** What is asked of it. */
  command: string;
}

/** How well a connection is protected is part of where its password may go. */
const SCHEMES: Readonly<Record<string, { protocol: MailProtocol; security: MailSecurity }>> = {
  imaps: { protocol: "imap", security: "tls" },
  imap: { protocol: "imap", security: "starttls" },
  "imap-plain": { protocol: "imap", security: "none" },
  smtps: { protocol: "smtp", security: "tls" },
  smtp: { protocol: "smtp", security: "starttls" },
  "smtp-plain": { protocol: "smtp", security: "none" },
};

/** The server of a connection; null where its fields name none. */
export function mailOrigin(values: ConnectionValues, protocol: MailProtocol): string | null {
  const host = values[`${protocol}_host`];
  if (host === undefined) return null;
  const security = values[`${protocol}_security`] ?? "tls";
  const entry = Object.entries(SCHEMES).find(([, is]) => is.protocol === protocol && is.security === security);
  return `${entry?.[0]}://${host.includes(":") ? `[${host}]` : host}:${values[`${protocol}_port`]}`;
}

/**
 * The mail server that a request goes to: only on behalf of a connection that names it. To everybody else these are
 * addresses that nobody can call.
 */
export function readMailTarget({ url: text, credentials }: OutgoingRequest): MailTarget | null {
  const [, scheme = "", place = "", command = ""] = /^([a-z-]+):\/\/([^/?#]+)\/([a-z-]+)$/.exec(text) ?? [];
  const kind = Object.hasOwn(SCHEMES, scheme) ? SCHEMES[scheme] : undefined;
  if (!kind || !credentials?.origins.includes(`${scheme}://${place}`)) return null;
  const [, host = "", port = ""] = /^(.*):(\d+)$/.exec(place) ?? [];
  return { ...kind, host: host.replace(/^\[|\]$/g, ""), port: Number(port), command };
}
