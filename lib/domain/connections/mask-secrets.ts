import type { OutgoingResponse } from "#lib/core/engine/outgoing-request";

const MASK = "[REDACTED]";
/** A shorter secret would be found in every other text. */
const MIN_CHARACTERS = 6;

/** How a secret may be spelled in an answer: as it is, inside JSON, inside a URL. */
function spellings(secrets: readonly string[]): string[] {
  const long = secrets.filter((secret) => secret.length >= MIN_CHARACTERS);
  const spelled = long.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]);
  // The longest first: one may be a part of another.
  return [...new Set(spelled)].sort((a, b) => b.length - a.length);
}

export function maskText(text: string, secrets: readonly string[]): string {
  return spellings(secrets).reduce((masked, secret) => masked.replaceAll(secret, MASK), text);
}

/**
 * An answer without the secrets it was asked with. Some servers repeat what they were sent, and an answer becomes a
 * step's output: the journal would keep it.
 */
export function maskResponse(response: OutgoingResponse, secrets: readonly string[]): OutgoingResponse {
  const bytes = spellings(secrets).map((secret) => Buffer.from(secret, "utf8"));
  const headers = Object.entries(response.headers).map(([name, value]) => [name, maskText(value, secrets)]);
  const body = bytes.some((secret) => response.body.includes(secret))
    ? Buffer.from(bytes.reduce(maskBytes, response.body.toString("latin1")), "latin1")
    : response.body;
  return { status: response.status, headers: Object.fromEntries(headers), body };
}

/** Byte by byte as latin1, so that nothing else of a body changes whatever its charset. */
function maskBytes(body: string, secret: Buffer): string {
  return body.replaceAll(secret.toString("latin1"), MASK);
}
