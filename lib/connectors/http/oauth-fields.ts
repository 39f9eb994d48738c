import { z } from "zod";
import type { OAuthPreset } from "#lib/connectors/http/presets/oauth-preset";
import { OAUTH_PRESETS } from "#lib/connectors/http/presets/oauth-presets";
import type { ConnectionField, ConnectionFieldOption, ConnectionValues } from "#lib/connectors/sdk/define-connector";
import { parseExpiredAnswers } from "#lib/connectors/sdk/expired-answers";
import type { ClientAuthentication } from "#lib/connectors/sdk/oauth";

const OTHER = "other";

/** Parameters that the sign-in sets by itself: another state or redirect URL would break its protection. */
const OWN_PARAMETERS = new Set([
  ...["response_type", "client_id", "redirect_uri", "scope", "state"],
  ...["code_challenge", "code_challenge_method"],
]);

const ADDRESS = z
  .string()
  .trim()
  .max(2_000)
  .pipe(z.url({ protocol: /^https?$/, error: "must be a URL such as https://…" }));

export const AUTHORIZE_URL_FIELD: ConnectionField = {
  name: "authorize_url",
  label: "Authorization URL",
  kind: "text",
  isRequired: true,
  placeholder: "https://auth.example.com/oauth/authorize",
  schema: ADDRESS,
};

export const TOKEN_URL_FIELD: ConnectionField = {
  name: "token_url",
  label: "Token URL",
  kind: "text",
  isRequired: true,
  placeholder: "https://auth.example.com/oauth/token",
  schema: ADDRESS,
};

export const SCOPES_FIELD: ConnectionField = {
  name: "scopes",
  label: "Scopes",
  kind: "text",
  isRequired: false,
  help: "Separate scopes with spaces.",
  schema: z
    .string()
    .trim()
    .max(2_000)
    .regex(/^[!-~ ]+$/, "must contain only letters, digits, symbols and spaces"),
};

export const SEPARATOR_FIELD: ConnectionField = {
  name: "scope_separator",
  label: "Scope separator",
  kind: "choice",
  isRequired: false,
  default: "space",
  options: [
    { value: "space", label: "Space" },
    { value: "comma", label: "Comma" },
  ],
  schema: z.enum(["space", "comma"]),
};

export const CLIENT_FIELD: ConnectionField = {
  name: "client_authentication",
  label: "Send client ID and secret",
  kind: "choice",
  isRequired: false,
  default: "basic",
  options: [
    { value: "basic", label: "In the header (Basic)" },
    { value: "body", label: "In the form body" },
    { value: "json", label: "In a JSON body" },
  ],
  schema: z.enum(["basic", "body", "json"]),
};

export const PKCE_FIELD: ConnectionField = {
  name: "pkce",
  label: "PKCE",
  kind: "choice",
  isRequired: false,
  default: "on",
  help: "Turn it off only if the service refuses it.",
  options: [
    { value: "on", label: "On" },
    { value: "off", label: "Off" },
  ],
  schema: z.enum(["on", "off"]),
};

export const PARAMETERS_FIELD: ConnectionField = {
  name: "authorize_parameters",
  label: "Extra authorization URL parameters",
  kind: "text",
  isRequired: false,
  placeholder: "access_type=offline&prompt=consent",
  schema: z
    .string()
    .trim()
    .max(2_000)
    .regex(
      /^[^=&\s]+=[^=&\s]*(?:&[^=&\s]+=[^=&\s]*)*$/,
      "must be parameters such as access_type=offline&prompt=consent",
    )
    .refine(
      (text) => namesIn(text).every((name) => !OWN_PARAMETERS.has(name)),
      `must not set ${[...OWN_PARAMETERS].join(", ")}`,
    )
    .refine((text) => new Set(namesIn(text)).size === namesIn(text).length, "must not repeat a parameter"),
};

export const EXPIRED_FIELD: ConnectionField = {
  name: "expired_answers",
  label: "Answers that mean an expired token",
  kind: "lines",
  isRequired: false,
  placeholder: "200 error=token_expired",
  help: "401 always counts. For a service that answers otherwise, write one line for each answer: a status, or a status and a field of the JSON answer.",
  schema: z
    .string()
    .trim()
    .max(1_000)
    .refine((text) => parseExpiredAnswers(text) !== null, "must be lines such as 403, or 200 error=token_expired"),
};

export const SERVICE_FIELD: ConnectionField = {
  name: "service",
  label: "Service",
  kind: "choice",
  isRequired: false,
  default: OTHER,
  help: "Fills in the fields below. You can change all of them.",
  options: [{ value: OTHER, label: "Other service" }, ...OAUTH_PRESETS.map(optionOf)],
  schema: z.enum([OTHER, ...OAUTH_PRESETS.map(({ name }) => name)]),
};

/** Returns how a connection's client authenticates; connections from before the choice existed have no value. */
export function clientAuthenticationOf(values: ConnectionValues): ClientAuthentication {
  const { [CLIENT_FIELD.name]: how } = values;
  return how === "body" || how === "json" ? how : "basic";
}

function namesIn(text: string): string[] {
  return [...new URLSearchParams(text).keys()];
}

/** Fills in every field that another service may have filled before. */
function optionOf(preset: OAuthPreset): ConnectionFieldOption {
  return {
    value: preset.name,
    label: preset.label,
    docs: preset.docs,
    fills: {
      [AUTHORIZE_URL_FIELD.name]: preset.authorizeUrl,
      [TOKEN_URL_FIELD.name]: preset.tokenUrl,
      [SCOPES_FIELD.name]: preset.scopes.join(" "),
      [SEPARATOR_FIELD.name]: preset.separator ?? "space",
      [CLIENT_FIELD.name]: preset.client,
      [PKCE_FIELD.name]: preset.hasPkce ? "on" : "off",
      [PARAMETERS_FIELD.name]: new URLSearchParams({ ...preset.parameters }).toString(),
      [EXPIRED_FIELD.name]: (preset.expired ?? []).join("\n"),
      hosts: preset.hosts.join("\n"),
    },
  };
}
