import { z } from "zod";
import { parseAllowedOrigin } from "#lib/connectors/sdk/allowed-origins";
import type { ConnectionField } from "#lib/connectors/sdk/define-connector";

const SECRET_CHARACTERS = 8_192;

/** A secret that travels in a header: visible ASCII, so that it cannot begin another header. */
export const headerSecret = z
  .string()
  .trim()
  .max(SECRET_CHARACTERS, `must be at most ${SECRET_CHARACTERS} characters long`)
  .regex(/^[!-~]+$/, "must hold only letters, digits and signs, without spaces or line breaks");

/** The address of an API: scheme, host and path. */
const baseUrl = z
  .string()
  .trim()
  .transform((text, context) => {
    const url = URL.parse(text);
    if (url && /^https?:$/.test(url.protocol) && url.username + url.password + url.search + url.hash === "") {
      return url.href.replace(/\/+$/, "");
    }
    context.addIssue({ code: "custom", message: "must be an address such as https://api.example.com/v1" });
    return z.NEVER;
  });

/** The field of a connector whose address can be another. */
export function baseUrlField(standard: string, help: string): ConnectionField {
  return {
    name: "base_url",
    label: "Base URL",
    kind: "text",
    isRequired: true,
    help,
    default: standard,
    placeholder: standard,
    schema: baseUrl,
  };
}

/** One or several origins, one a line or separated by commas. */
const origins = z.string().transform((text, context) => {
  const written = text.split(/[\s,]+/).filter((part) => part !== "");
  const parsed = written.map(parseAllowedOrigin);
  const wrong = written.find((_, index) => parsed[index] === null);
  if (wrong === undefined) return [...new Set(parsed)].join("\n");
  context.addIssue({ code: "custom", message: `"${wrong}" is no host such as api.example.com or *.example.com` });
  return z.NEVER;
});

/** The field that says where a generic secret may go. */
export const HOSTS_FIELD: ConnectionField = {
  name: "hosts",
  label: "Allowed hosts",
  kind: "lines",
  isRequired: true,
  placeholder: "api.example.com",
  help: "One a line. The secret is sent there and nowhere else; https unless the line begins with http://, *. stands for any subdomain.",
  schema: origins,
};

export const TEST_URL_FIELD: ConnectionField = {
  name: "test_url",
  label: "Test address",
  kind: "text",
  isRequired: false,
  placeholder: "https://api.example.com/me",
  help: "Asked with GET to see whether the secret works. Leave empty to skip the test.",
  schema: z
    .string()
    .trim()
    .pipe(z.url({ protocol: /^https?$/, error: "must be an address such as https://…" })),
};
