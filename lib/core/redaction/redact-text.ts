import { redactEmails } from "#lib/core/redaction/redact-emails";
import { redactPhones } from "#lib/core/redaction/redact-phones";
import { REDACTED_TOKEN, redactTokens } from "#lib/core/redaction/redact-tokens";

/** Replaces a secret that is recognized by its name. */
export const REDACTED = "[REDACTED]";

/**
 * A bearer token, unless the word after "Bearer" is one that usually follows it in prose and error messages: "Bearer
 * token is missing" stays readable.
 */
export const BEARER_TOKEN =
  /\bBearer[ \t]{1,4}(?!(?:auth|authentication|authorization|bonds?|credentials?|error|format|headers?|instruments?|is|keys?|may|must|of|or|realm|schemes?|shares?|tokens?|was)(?![A-Za-z0-9\-_~+/]|\.[A-Za-z0-9]))[A-Za-z0-9\-._~+/]+={0,2}/gi;

/** The contract names api_key, access_token and secret_key; these are their usual spellings. */
const SECRET_NAME = "(?:(?:api|secret)[_-]?key|access[_-]?token)";
/**
 * `api_key=...`, `"access_token": "..."`, `secretKey => '...'`, also in escaped JSON. A quoted value ends at its quote.
 * `{16}` and `*` are separate because `{16,}` puts each character on the pattern's stack, and 20 million characters
 * exhaust it.
 */
export const ASSIGNMENT = new RegExp(
  String.raw`${SECRET_NAME}\\{0,3}["']?\s{0,4}(?::|=>?)\s{0,4}` +
    String.raw`(?:\\{0,3}"[^"\r\n]{16}[^"\r\n]*|\\{0,3}'[^'\r\n]{16}[^'\r\n]*|[^\s"'\\,;&}]{16}[^\s"'\\,;&}]*)`,
  "gi",
);
const ENDS_IN_SECRET_NAME = new RegExp(`${SECRET_NAME}$`, "i");
/** contract, API keys. They have 36 characters, so the rule for 40 characters would miss them. */
export const OWN_KEY = /svc_[A-Za-z0-9_-]{32}[A-Za-z0-9_-]*/g;
/** decisions, Callbacks: anyone who has the token of an address can resume the run. */
export const CALLBACK_TOKEN_PREFIX = "scb_";
export const CALLBACK_TOKEN = /scb_[A-Za-z0-9_-]{64}[A-Za-z0-9_-]*/g;

/** No rule matches fewer characters: the shortest match is an email address, `a@b.cc`. */
const MIN_LENGTH = 6;
const MIN_ASSIGNMENT_LENGTH = 24;

/**
 * Returns true if a key of an object indicates that its value is a secret: `access_token`, `apiKey`,
 * `STRIPE_SECRET_KEY`.
 */
export function isSecretName(key: string): boolean {
  return ENDS_IN_SECRET_NAME.test(key);
}

/**
 * Replaces bearer tokens, assignments of secrets, our own keys, email addresses, Russian phone numbers and long tokens
 * in a text, in this order (contract, Redaction). Returns the same text if it contains none. The time is linear for
 * every text: each pattern starts with a literal or after a boundary, so no two attempts read the same characters, and
 * every inner quantifier is bounded or ends with its character class.
 */
export function redactText(text: string): string {
  if (text.length < MIN_LENGTH) return text;
  let clean = text.replace(BEARER_TOKEN, "Bearer [REDACTED]");
  if (clean.length >= MIN_ASSIGNMENT_LENGTH) {
    // A value in escaped JSON ends before `\"`: the backslash is part of the quote.
    clean = clean.replace(ASSIGNMENT, (match) => (match.endsWith("\\") ? `${REDACTED}\\` : REDACTED));
    if (clean.includes("svc_")) clean = clean.replace(OWN_KEY, REDACTED_TOKEN);
    if (clean.includes(CALLBACK_TOKEN_PREFIX)) clean = clean.replace(CALLBACK_TOKEN, REDACTED_TOKEN);
  }
  return redactTokens(redactPhones(redactEmails(clean)));
}
