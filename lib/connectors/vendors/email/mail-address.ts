import type { ConnectionValues } from "#lib/connectors/sdk/define-connector";
import type { OutgoingRequest } from "#lib/core/engine/outgoing-request";

export type MailProtocol = "imap" | "smtp";
/**
 * `starttls`: the connection starts in the clear and is encrypted before any data is sent; `none` stays in the clear.
 */
export type MailSecurity = "tls" | "starttls" | "none";

/** A mail server as the URL of a request names it: `imaps://imap.example.com:993/search`. */
export interface MailTarget {
  protocol: MailProtocol;
  security: MailSecurity;
  host: string;
  port: number;
  /** The command to run. */
  command: string;
}

/** The security of a connection is part of its origin, so a password never goes to a less protected one. */
const SCHEMES: Readonly<Record<string, { protocol: MailProtocol; security: MailSecurity }>> = {
  imaps: { protocol: "imap", security: "tls" },
  imap: { protocol: "imap", security: "starttls" },
  "imap-plain": { protocol: "imap", security: "none" },
  smtps: { protocol: "smtp", security: "tls" },
  smtp: { protocol: "smtp", security: "starttls" },
  "smtp-plain": { protocol: "smtp", security: "none" },
};

/** Returns the origin of a connection's server, or null if its fields name none. */
export function mailOrigin(values: ConnectionValues, protocol: MailProtocol): string | null {
  const host = values[`${protocol}_host`];
  if (host === undefined) return null;
  const security = values[`${protocol}_security`] ?? "tls";
  const entry = Object.entries(SCHEMES).find(([, is]) => is.protocol === protocol && is.security === security);
  return `${entry?.[0]}://${host.includes(":") ? `[${host}]` : host}:${values[`${protocol}_port`]}`;
}

/**
 * Returns the mail server that a request goes to, or null unless the request belongs to a connection that names this
 * server. Without such a connection, no one can call these addresses.
 */
export function readMailTarget({ url: text, credentials }: OutgoingRequest): MailTarget | null {
  const [, scheme = "", place = "", command = ""] = /^([a-z-]+):\/\/([^/?#]+)\/([a-z-]+)$/.exec(text) ?? [];
  const kind = Object.hasOwn(SCHEMES, scheme) ? SCHEMES[scheme] : undefined;
  if (!kind || !credentials?.origins.includes(`${scheme}://${place}`)) return null;
  const [, host = "", port = ""] = /^(.*):(\d+)$/.exec(place) ?? [];
  return { ...kind, host: host.replace(/^\[|\]$/g, ""), port: Number(port), command };
}
