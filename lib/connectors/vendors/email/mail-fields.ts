import { isIP } from "node:net";
import { z } from "zod";
import type { ConnectionField } from "#lib/connectors/sdk/define-connector";
import type { MailProtocol } from "#lib/connectors/vendors/email/mail-address";

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

function serverFields(protocol: MailProtocol, label: string, standardPort: string): ConnectionField[] {
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
      schema: host,
    },
    {
      name: `${protocol}_port`,
      label: `${label} port`,
      kind: "text",
      isRequired: true,
      default: standardPort,
      schema: port,
    },
    {
      name: `${protocol}_security`,
      label: `${label} encryption`,
      kind: "choice",
      isRequired: true,
      default: "tls",
      options: SECURITIES,
      schema: z.enum(["tls", "starttls", "none"]),
    },
  ];
}

export const MAIL_FIELDS: readonly ConnectionField[] = [
  { name: "user", label: "User", kind: "text", isRequired: true, placeholder: "ada@example.com", schema: login },
  {
    name: "password",
    label: "Password",
    kind: "secret",
    isRequired: true,
    help: "Many providers require an app password. You can create one in the security settings of the account.",
    schema: password,
  },
  ...serverFields("imap", "IMAP", "993"),
  ...serverFields("smtp", "SMTP", "465"),
  {
    name: "from",
    label: "From",
    kind: "text",
    isRequired: false,
    placeholder: "Ada Lovelace <ada@example.com>",
    help: "The default sender. Leave empty to use the user.",
    schema: z
      .string()
      .trim()
      .max(320)
      .regex(/^[^\p{Cc}]*@[^\p{Cc}]+$/u, "must contain an email address"),
  },
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
