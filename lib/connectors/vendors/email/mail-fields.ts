import { isIP } from "node:net";
import { z } from "zod";
import type { ConnectionField } from "#lib/connectors/sdk/define-connector";
import type { MailProtocol, MailSecurity } from "#lib/connectors/vendors/email/mail-address";

const HOST_NAME = /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)*$/;

const host = z
  .string()
  .trim()
  .toLowerCase()
  .refine((text) => HOST_NAME.test(text) || isIP(text) !== 0, "must be a host name such as imap.example.com");

const port = z
  .string()
  .trim()
  .regex(/^\d{1,5}$/, "must be a number")
  .refine((text) => Number(text) > 0 && Number(text) < 65_536, "must be between 1 and 65535");

const login = z
  .string()
  .trim()
  .max(320, "must be at most 320 characters long")
  // A colon would end the user name, because both are written in one line.
  .regex(/^[^\p{Cc}:]+$/u, "must be one line without a colon");

const password = z
  .string()
  .max(1_024, "must be at most 1024 characters long")
  .regex(/^\P{Cc}+$/u, "must be one line");

const SECURITIES = [
  { value: "tls", label: "TLS" },
  { value: "starttls", label: "STARTTLS" },
  { value: "none", label: "None (everything is readable in transit)" },
];

interface StandardServer {
  host?: string;
  port: string;
  security: MailSecurity;
}

function serverFields(protocol: MailProtocol, label: string, standard: StandardServer): ConnectionField[] {
  return [
    {
      name: `${protocol}_host`,
      label: `${label} server`,
      kind: "text",
      isRequired: false,
      placeholder: `${protocol}.example.com`,
      help:
        protocol === "imap"
          ? "The server to read mail from. Leave empty to send only."
          : "The server to send mail through. Leave empty to read only.",
      ...(standard.host === undefined ? {} : { default: standard.host, help: "Change it only for a national cloud." }),
      schema: host,
    },
    {
      name: `${protocol}_port`,
      label: `${label} port`,
      kind: "text",
      isRequired: true,
      default: standard.port,
      schema: port,
    },
    {
      name: `${protocol}_security`,
      label: `${label} encryption`,
      kind: "choice",
      isRequired: true,
      default: standard.security,
      options: SECURITIES,
      schema: z.enum(["tls", "starttls", "none"]),
    },
  ];
}

const USER: ConnectionField = {
  name: "user",
  label: "User",
  kind: "text",
  isRequired: true,
  placeholder: "ada@example.com",
  schema: login,
};

const FROM: ConnectionField = {
  name: "from",
  label: "From",
  kind: "text",
  isRequired: false,
  placeholder: "Ada Lovelace <ada@example.com>",
  help: "The default sender. Leave empty to use the address you sign in with.",
  schema: z
    .string()
    .trim()
    .max(320)
    .regex(/^[^\p{Cc}]*@[^\p{Cc}]+$/u, "must contain an email address"),
};

/** Returns the fields of a mailbox that a user signs in to at its provider. */
export function signInFields(servers: { imap: StandardServer; smtp: StandardServer }): ConnectionField[] {
  const user = { ...USER, label: "Email address", help: "The address of the mailbox that you sign in to." };
  return [user, ...serverFields("imap", "IMAP", servers.imap), ...serverFields("smtp", "SMTP", servers.smtp), FROM];
}

export const MAIL_FIELDS: readonly ConnectionField[] = [
  USER,
  {
    name: "password",
    label: "Password",
    kind: "secret",
    isRequired: true,
    help: "Many providers require an app password. You can create one in the security settings of the account. Microsoft 365 accepts no passwords: sign in instead.",
    schema: password,
  },
  ...serverFields("imap", "IMAP", { port: "993", security: "tls" }),
  ...serverFields("smtp", "SMTP", { port: "465", security: "tls" }),
  FROM,
  {
    name: "smtp_user",
    label: "SMTP user",
    kind: "text",
    isRequired: false,
    help: "Only if it differs from the user above.",
    schema: login,
  },
  { name: "smtp_password", label: "SMTP password", kind: "secret", isRequired: false, schema: password },
];
