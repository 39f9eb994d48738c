import type { OutgoingResponse } from "#lib/core/engine/outgoing-request";

const MASK = "[REDACTED]";
/** A shorter secret would be found in almost every text. */
const MIN_CHARACTERS = 6;

/** The ways a secret may be written in an answer: as it is, inside JSON, inside a URL. */
function spellings(secrets: readonly string[]): string[] {
  const long = secrets.filter((secret) => secret.length >= MIN_CHARACTERS);
  const spelled = long.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]);
  // The longest first, because one secret may be part of another.
  return [...new Set(spelled)].sort((a, b) => b.length - a.length);
}

export function maskText(text: string, secrets: readonly string[]): string {
  return spellings(secrets).reduce((masked, secret) => masked.replaceAll(secret, MASK), text);
}

/**
 * Removes the secrets of a request from its answer. Some servers repeat what they received, and an answer becomes a
 * step's output, which the journal would keep.
 */
export function maskResponse(response: OutgoingResponse, secrets: readonly string[]): OutgoingResponse {
  const bytes = spellings(secrets).map((secret) => Buffer.from(secret, "utf8"));
  const headers = Object.entries(response.headers).map(([name, value]) => [name, maskText(value, secrets)]);
  const body = bytes.some((secret) => response.body.includes(secret))
    ? Buffer.from(bytes.reduce(maskBytes, response.body.toString("latin1")), "latin1")
    : response.body;
  return { status: response.status, headers: Object.fromEntries(headers), body };
}

/** Works on bytes as latin1, so that the rest of a body does not change, whatever its charset. */
function maskBytes(body: string, secret: Buffer): string {
  return body.replaceAll(secret.toString("latin1"), MASK);
}
