import { createPrivateKey, sign } from "node:crypto";
import { z } from "zod";
import type { ConnectionField, ConnectionValues } from "#lib/connectors/sdk/define-connector";

/** The fields of a Google key file that are used here. */
const keyFile = z.object({
  type: z.literal("service_account"),
  client_email: z.string().min(3),
  private_key: z.string().refine(isRsaKey, "is not an RSA key"),
  private_key_id: z.string().optional(),
});

const LIFETIME_SECONDS = 3_600;
const FIELD = "service_account";

export const SERVICE_ACCOUNT_FIELD: ConnectionField = {
  name: FIELD,
  label: "Key file",
  kind: "secret",
  isRequired: true,
  placeholder: '{"type": "service_account", …}',
  help: "The JSON key of the service account. Share each spreadsheet with the account's email address.",
  schema: z
    .string()
    .max(20_000)
    .transform((text, context) => {
      const parsed = keyFile.safeParse(parseJson(text));
      if (parsed.success) return JSON.stringify(parsed.data);
      const [issue] = parsed.error.issues;
      const where = issue?.path.join(".");
      context.addIssue({
        code: "custom",
        message: where ? `${where} ${issue?.message}` : "must be the JSON of a service account's key",
      });
      return z.NEVER;
    }),
};

/**
 * Signs a statement that requests a token for the account.
 * https://developers.google.com/identity/protocols/oauth2/service-account#authorizingrequests
 */
export function serviceAccountAssertion(
  values: ConnectionValues,
  { audience, scopes, now }: { audience: string; scopes: readonly string[]; now: Date },
): string {
  const key = keyFile.parse(parseJson(values[FIELD] ?? ""));
  const issuedAt = Math.floor(now.getTime() / 1_000);
  const claims = {
    iss: key.client_email,
    scope: scopes.join(" "),
    aud: audience,
    iat: issuedAt,
    exp: issuedAt + LIFETIME_SECONDS,
  };
  const header = { alg: "RS256", typ: "JWT", ...(key.private_key_id ? { kid: key.private_key_id } : {}) };
  const text = `${encoded(header)}.${encoded(claims)}`;
  return `${text}.${sign("RSA-SHA256", Buffer.from(text), key.private_key).toString("base64url")}`;
}

function encoded(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString("base64url");
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isRsaKey(text: string): boolean {
  try {
    return createPrivateKey(text).asymmetricKeyType === "rsa";
  } catch {
    return false;
  }
}
