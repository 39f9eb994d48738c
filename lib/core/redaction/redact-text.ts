import { redactEmails } from "#lib/core/redaction/redact-emails";
import { redactPhones } from "#lib/core/redaction/redact-phones";
import { REDACTED_TOKEN, redactTokens } from "#lib/core/redaction/redact-tokens";

/** What replaces a secret that its name gives away. */
export const REDACTED = "[REDACTED]";

/**
 * A bearer token, unless the word behind "Bearer" is one of those that follow it in prose and in messages about
 * tokens: "Bearer token is missing" stays readable.
 */
const BEARER =
  /\bBearer[ \t]{1,4}(?!(?:auth|authentication|authorization|bonds?|credentials?|error|format|headers?|instruments?|is|keys?|may|must|of|or|realm|schemes?|shares?|tokens?|was)(?![A-Za-z0-9\-_~+/]|\.[A-Za-z0-9]))[A-Za-z0-9\-._~+/]+={0,2}/gi;

/** contract names api_key, access_token and secret_key; these are the ways people spell them. */
const SECRET_NAME = "(?:(?:api|secret)[_-]?key|access[_-]?token)";
/**
 * `api_key=...`, `"access_token": "..."`, `secretKey => '...'`, in escaped JSON too. A quoted value ends at its quote. `{16}` and `*`
 * apart, because `{16,}` puts each character on the pattern's stack, which 20 million of them exhaust.
 */
const ASSIGNMENT = new RegExp(
  String.raw`${SECRET_NAME}\\{0,3}["']?\s{0,4}(?::|=>?)\s{0,4}` +
    String.raw`(?:\\{0,3}"[^"\r\n]{16}[^"\r\n]*|\\{0,3}'[^'\r\n]{16}[^'\r\n]*|[^\s"'\\,;&}]{16}[^\s"'\\,;&}]*)`,
  "gi",
);
const ENDS_IN_SECRET_NAME = new RegExp(`${SECRET_NAME}$`, "i");
/** contract, API keys. The rule of 40 characters would miss their 36. */
const OWN_KEY = /svc_[A-Za-z0-9_-]{32}[A-Za-z0-9_-]*/g;

/** No rule finds anything in fewer characters: the shortest is an e-mail address, `a@b.cc`. */
const MIN_LENGTH = 6;
const MIN_ASSIGNMENT_LENGTH = 24;

/** True when a key of an object says that its value is a secret: `access_token`, `apiKey`, `STRIPE_SECRET_KEY`. */
export function isSecretName(key: string): boolean {
  return ENDS_IN_SECRET_NAME.test(key);
}

/**
 * One text without bearer tokens, assignments of secrets, our own keys, e-mail addresses, Russian phone numbers and long
 * tokens, replaced in this order (contract, Redaction). The same text when there was none.
 *
 * Linear time whatever the text: every pattern begins with a literal or behind a boundary, so no two attempts read the
 * same run, and every quantifier inside is bounded or ends where its class ends.
 */
export function redactText(text: string): string {
  if (text.length < MIN_LENGTH) return text;
  let clean = text.replace(BEARER, "Bearer [REDACTED]");
  if (clean.length >= MIN_ASSIGNMENT_LENGTH) {
    // A value in escaped JSON ends before `\"`: the backslash belongs to the quote.
    clean = clean.replace(ASSIGNMENT, (match) => (match.endsWith("\\") ? `${REDACTED}\\` : REDACTED));
    if (clean.includes("svc_")) clean = clean.replace(OWN_KEY, REDACTED_TOKEN);
  }
  return redactTokens(redactPhones(redactEmails(clean)));
}
