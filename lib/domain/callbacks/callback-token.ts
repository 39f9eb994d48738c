import { createHmac, timingSafeEqual } from "node:crypto";
import { CALLBACK_TOKEN_PREFIX } from "#lib/core/redaction/redact-text";

/** The step that an address belongs to. */
export interface CallbackPlace {
  runId: string;
  nodeId: string;
  iteration: string;
}

/** A token as it arrived: the place that it names, and the signature that still has to be checked. */
export interface CallbackToken extends CallbackPlace {
  signature: Buffer;
}

const RUN_BYTES = 16;
const SIGNATURE_BYTES = 32;
/** Between the id and the iteration, which contain no space. */
const SEPARATOR = " ";
/** The longest node id with the iteration of a deep loop. */
const TOKEN_CHARACTERS = 400;

/**
 * Returns the token of an address: the run and step, with a signature. It depends on nothing else, so every worker that
 * continues the run writes the same address, and no one has to store it.
 */
export function signCallback(secret: Buffer, place: CallbackPlace): string {
  const { runId, nodeId, iteration } = place;
  const run = Buffer.from(runId.replaceAll("-", ""), "hex");
  const step = Buffer.from(`${nodeId}${SEPARATOR}${iteration}`, "utf8");
  return CALLBACK_TOKEN_PREFIX + Buffer.concat([run, signatureOf(secret, place), step]).toString("base64url");
}

/** Reads a token without trusting it. Returns null for any other text. */
export function readCallbackToken(token: string): CallbackToken | null {
  if (!token.startsWith(CALLBACK_TOKEN_PREFIX) || token.length > TOKEN_CHARACTERS) return null;
  const text = token.slice(CALLBACK_TOKEN_PREFIX.length);
  const bytes = Buffer.from(text, "base64url");
  // Node ignores what is not base64url; each address must have one spelling.
  if (bytes.length <= RUN_BYTES + SIGNATURE_BYTES || bytes.toString("base64url") !== text) return null;
  const step = bytes.toString("utf8", RUN_BYTES + SIGNATURE_BYTES);
  // PostgreSQL refuses a text with this character, and no id contains it.
  if (step.includes("\0")) return null;
  const [nodeId = "", iteration = ""] = step.split(SEPARATOR);
  const hex = bytes.toString("hex", 0, RUN_BYTES);
  const runId = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  return { runId, nodeId, iteration, signature: bytes.subarray(RUN_BYTES, RUN_BYTES + SIGNATURE_BYTES) };
}

/** Takes the same time for every wrong signature. */
export function isSigned(secret: Buffer, { signature, ...place }: CallbackToken): boolean {
  return timingSafeEqual(signature, signatureOf(secret, place));
}

function signatureOf(secret: Buffer, { runId, nodeId, iteration }: CallbackPlace): Buffer {
  return createHmac("sha256", secret).update(`callback|${runId}|${nodeId}|${iteration}`).digest();
}

/** Identifies a body without storing it: a repeated request has the same digest. */
export function digestBody(secret: Buffer, { runId, nodeId, iteration }: CallbackPlace, body: Uint8Array): Buffer {
  return createHmac("sha256", secret).update(`body|${runId}|${nodeId}|${iteration}|`).update(body).digest();
}
