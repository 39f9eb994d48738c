import { z } from "zod";
import type { ConnectionField } from "#lib/connectors/sdk/define-connector";
import { parseAllowedOrigin } from "#lib/support/urls/allowed-origins";

const SECRET_CHARACTERS = 8_192;

/** A secret sent in a header: visible ASCII, so that it cannot start another header. */
export const headerSecret = z
  .string()
  .trim()
  .max(SECRET_CHARACTERS, `must be at most ${SECRET_CHARACTERS} characters long`)
  .regex(/^[!-~]+$/, "must contain only letters, digits and symbols, without spaces or line breaks");

/** The base URL of an API: scheme, host and path. */
const baseUrl = z
  .string()
  .trim()
  .transform((text, context) => {
    const url = URL.parse(text);
    if (url && /^https?:$/.test(url.protocol) && url.username + url.password + url.search + url.hash === "") {
      return url.href.replace(/\/+$/, "");
    }
    context.addIssue({ code: "custom", message: "must be a URL such as https://api.example.com/v1" });
    return z.NEVER;
  });

/** Defines the field of a connector with a configurable base URL. */
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

/** One or more origins, separated by line breaks or commas. */
const origins = z.string().transform((text, context) => {
  const written = text.split(/[\s,]+/).filter((part) => part !== "");
  const parsed = written.map(parseAllowedOrigin);
  const wrong = written.find((_, index) => parsed[index] === null);
  if (wrong === undefined) return [...new Set(parsed)].join("\n");
  context.addIssue({ code: "custom", message: `"${wrong}" is not a host such as api.example.com or *.example.com` });
  return z.NEVER;
});

/** The field with the hosts that may receive a generic secret. */
export const HOSTS_FIELD: ConnectionField = {
  name: "hosts",
  label: "Allowed hosts",
  kind: "lines",
  isRequired: true,
  placeholder: "api.example.com",
  help: "One host per line. The secret is sent only to these hosts, over https unless the line starts with http://. Use *. for any subdomain.",
  schema: origins,
};

export const TEST_URL_FIELD: ConnectionField = {
  name: "test_url",
  label: "Test URL",
  kind: "text",
  isRequired: false,
  placeholder: "https://api.example.com/me",
  help: "Signalbox sends a GET request to this URL to check the secret. Leave empty to skip the test.",
  schema: z
    .string()
    .trim()
    .pipe(z.url({ protocol: /^https?$/, error: "must be a URL such as https://…" })),
};
