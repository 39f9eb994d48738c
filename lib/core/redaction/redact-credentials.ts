import {
  ASSIGNMENT,
  BEARER_TOKEN,
  CALLBACK_TOKEN,
  isSecretName,
  OWN_KEY,
  REDACTED,
  WEB_TOKEN,
} from "#lib/core/redaction/redact-text";

/** Keys of well-known services, each with its fixed prefix. Bounded, so that no text is read more than once. */
const SERVICE_TOKEN =
  /(?<![A-Za-z0-9])(?:sk-(?=[A-Za-z0-9_-]{0,64}[0-9])[A-Za-z0-9_-]{16,200}|(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{10,200}|gh[pousr]_[A-Za-z0-9]{20,255}|github_pat_[A-Za-z0-9_]{20,255}|glpat-[A-Za-z0-9_-]{20,200}|xox[abeoprs]-[A-Za-z0-9-]{10,200}|AKIA[0-9A-Z]{16}|AIza[0-9A-Za-z_-]{35}|whsec_[A-Za-z0-9+/=]{16,200}|[0-9]{6,12}:[A-Za-z0-9_-]{30,60})/g;
/** A block without an end reaches to the end of the text. */
const PRIVATE_KEY = /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]{0,30}PRIVATE KEY-----|$)/g;
/** `https://user:password@host`. */
const URL_CREDENTIALS =
  /\b([a-z][a-z0-9+.-]{1,20}:\/\/)[^\s/?#@:{}"'<>]{0,200}:(?!\[REDACTED)[^\s/?#@{}"'<>]{1,200}@/gi;
/** `?token=...` in an address. */
const URL_PARAMETER =
  /([?&](?:api[_-]?key|access[_-]?token|auth[_-]?token|token|client[_-]?secret|secret|password)=)(?!\[REDACTED)[^&#\s{}"'<>]{4,2000}/gi;

/** Names of headers, parameters and fields whose value is a secret, without `-`, `_` and capitals. */
const SECRET_NAMES = new Set(["authorization", "proxyauthorization", "cookie", "setcookie", "token", "privatetoken"]);
const SECRET_ENDINGS =
  /(?:apikey|privatekey|password|passwd|passphrase|^secret|clientsecret|(?:access|api|auth|bearer|bot|refresh|security|session)token)$/;
const HEADER_TOKEN = /^x-[a-z0-9-]{0,60}-token$/i;

/** Returns true if a field with this name usually contains a credential: `Authorization`, `x-api-key`, `password`. */
export function isCredentialName(name: string): boolean {
  if (isSecretName(name) || HEADER_TOKEN.test(name)) return true;
  const plain = name.replaceAll(/[-_\s]/g, "").toLowerCase();
  return SECRET_NAMES.has(plain) || SECRET_ENDINGS.test(plain);
}

/**
 * Replaces the credentials that a text contains, and nothing else: a document that people write may contain email
 * addresses, phone numbers and long ids. Expressions such as `{{action_input.token}}` are not credentials.
 */
export function redactCredentials(text: string): string {
  return text
    .replace(PRIVATE_KEY, REDACTED)
    .replace(BEARER_TOKEN, "Bearer [REDACTED]")
    .replace(URL_CREDENTIALS, `$1${REDACTED}@`)
    .replace(URL_PARAMETER, `$1${REDACTED}`)
    .replace(ASSIGNMENT, (match) => (match.includes("{{") || match.includes(REDACTED) ? match : REDACTED))
    .replace(OWN_KEY, REDACTED)
    .replace(CALLBACK_TOKEN, REDACTED)
    .replace(SERVICE_TOKEN, REDACTED)
    .replace(WEB_TOKEN, REDACTED);
}

const SCHEME = /^(Bearer|Basic|Token|Digest|ApiKey)\s+/i;

/** Replaces the value of a field whose name says that it is a credential. A value with expressions is checked as a text. */
export function redactNamed(name: string, value: string): string {
  if (value.includes("{{") || !isCredentialName(name)) return redactCredentials(value);
  const [scheme = ""] = SCHEME.exec(value) ?? [];
  const rest = value.slice(scheme.length).trim();
  return rest === "" || rest === REDACTED ? value : `${scheme}${REDACTED}`;
}
