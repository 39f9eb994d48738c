import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { env } from "#lib/platform/config/env";

/** No one reads a form and fills it in as fast as this; most programs do. */
const LEAST_MS = 1_000;
/** A page that was open for longer gets a new token, with what was filled in. */
const LONGEST_MS = 24 * 60 * 60 * 1_000;
const TOKEN = /^(\d{13})\.([\w-]{16})\.([\w-]{43})$/;

export interface FormToken {
  /** Different for each page. */
  nonce: string;
  fault: "too_fast" | "too_old" | null;
}

/** Returns the token of a form's page: when it was shown, signed for this form. No one has to store it. */
export function issueFormToken(subscriptionId: string, now: Date): string {
  const issued = String(now.getTime());
  const nonce = randomBytes(12).toString("base64url");
  return `${issued}.${nonce}.${signatureOf(subscriptionId, issued, nonce).toString("base64url")}`;
}

/** Reads a token that a browser sent. Returns null for every text that was not issued for this form. */
export function readFormToken(subscriptionId: string, token: string, now: Date): FormToken | null {
  const [, issued, nonce, signature] = TOKEN.exec(token) ?? [];
  if (issued === undefined || nonce === undefined || signature === undefined) return null;
  const given = Buffer.from(signature, "base64url");
  if (!timingSafeEqual(given, signatureOf(subscriptionId, issued, nonce))) return null;
  const ageMs = now.getTime() - Number(issued);
  return { nonce, fault: ageMs < LEAST_MS ? "too_fast" : ageMs > LONGEST_MS ? "too_old" : null };
}

function signatureOf(subscriptionId: string, issued: string, nonce: string): Buffer {
  const text = `form|${subscriptionId.toLowerCase()}|${issued}|${nonce}`;
  return createHmac("sha256", env().NEXTAUTH_SECRET).update(text).digest();
}
