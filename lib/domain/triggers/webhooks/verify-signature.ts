import { createHmac, timingSafeEqual } from "node:crypto";
import type { WebhookConfig } from "#lib/core/steps/trigger/trigger-data";

/** A request as it arrived over the wire. */
export interface Delivery {
  headers: Headers;
  /** The raw bytes, before any parsing: they are what is signed. */
  body: Buffer;
  receivedAt: Date;
}

/** What the sender of a webhook must prove. */
export interface SignatureRule extends Omit<WebhookConfig, "kind" | "secret"> {
  secret: string;
}

type Scheme = Exclude<WebhookConfig["scheme"], "auto">;
export type Verdict =
  | { isGenuine: true; scheme: Scheme }
  /** `reason` is for the delivery log: it helps the person who configures a sender, and is not sent to the caller. */
  | { isGenuine: false; reason: string };

/** What one scheme found in a request: the signatures offered, and the text that they must sign. */
interface Claim {
  /** The decoded signatures; empty if none could be read. */
  offered: Buffer[];
  signed: (string | Buffer)[];
  keys: Buffer[];
  algorithm: string;
  /** Epoch seconds as the sender wrote them; null if the scheme has no timestamp. */
  timestamp: string | null;
}

const GENERIC_HEADER = "x-webhook-signature";
const HEX = /^[0-9a-f]+$/i;
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;

/**
 * Verifies that the holder of the secret sent exactly these bytes, and recently (decisions, Inbound webhooks). If the
 * scheme has a timestamp, the tolerance applies in both directions. Anything missing or unreadable is refused.
 */
export function verifySignature(rule: SignatureRule, delivery: Delivery): Verdict {
  const scheme = rule.scheme === "auto" ? detectScheme(rule, delivery.headers) : rule.scheme;
  if (scheme === null) return { isGenuine: false, reason: "no signature header" };
  const claim = CLAIMS[scheme](rule, delivery);
  if (claim === null) return { isGenuine: false, reason: `the ${scheme} signature is missing or malformed` };
  if (!isFresh(claim.timestamp, rule.tolerance_seconds, delivery.receivedAt)) {
    return { isGenuine: false, reason: `the ${scheme} timestamp is malformed or too far from now` };
  }
  if (!matchesAny(claim)) return { isGenuine: false, reason: `the ${scheme} signature does not match` };
  return { isGenuine: true, scheme };
}

/** Schemes with a timestamp come first: a request that carries two signatures must not choose the weaker one. */
function detectScheme(rule: SignatureRule, headers: Headers): Scheme | null {
  if (headers.has("webhook-signature")) return "standard";
  if (headers.has("stripe-signature")) return "stripe";
  if (headers.has("x-slack-signature")) return "slack";
  if (headers.has("x-hub-signature-256")) return "github";
  return headers.has(rule.header || GENERIC_HEADER) ? "generic" : null;
}

const CLAIMS: Record<Scheme, (rule: SignatureRule, delivery: Delivery) => Claim | null> = {
  standard: (rule, { headers, body }) => {
    const [id, timestamp] = [headers.get("webhook-id"), headers.get("webhook-timestamp")];
    if (!id || !timestamp) return null;
    const offered = (headers.get("webhook-signature") ?? "").split(/[\s,]+(?=v1,)|\s+/).flatMap((part) => {
      return part.startsWith("v1,") ? decode(part.slice(3), "base64") : [];
    });
    const keys = standardKeys(rule.secret);
    return claimOf({ offered, signed: [`${id}.${timestamp}.`, body], keys, timestamp });
  },
  github: (rule, { headers, body }) => {
    const offered = unprefixed(headers.get("x-hub-signature-256"), "sha256=");
    return claimOf({ offered, signed: [body], keys: [Buffer.from(rule.secret)], timestamp: null });
  },
  stripe: (rule, { headers, body }) => {
    const parts = (headers.get("stripe-signature") ?? "").split(",").map((part) => part.trim().split("="));
    const timestamps = parts.flatMap(([name, value]) => (name === "t" && value ? [value] : []));
    const [timestamp] = timestamps;
    if (timestamp === undefined || timestamps.length > 1) return null;
    const offered = parts.flatMap(([name, value]) => (name === "v1" && value ? decode(value, "hex") : []));
    return claimOf({ offered, signed: [`${timestamp}.`, body], keys: [Buffer.from(rule.secret)], timestamp });
  },
  slack: (rule, { headers, body }) => {
    const timestamp = headers.get("x-slack-request-timestamp");
    if (!timestamp) return null;
    const offered = unprefixed(headers.get("x-slack-signature"), "v0=");
    return claimOf({ offered, signed: [`v0:${timestamp}:`, body], keys: [Buffer.from(rule.secret)], timestamp });
  },
  generic: (rule, { headers, body }) => {
    const given = headers.get(rule.header || GENERIC_HEADER)?.trim() ?? "";
    const prefix = `${rule.algorithm}=`;
    const offered = decode(given.toLowerCase().startsWith(prefix) ? given.slice(prefix.length) : given, rule.encoding);
    const keys = [Buffer.from(rule.secret)];
    return claimOf({ offered, signed: [body], keys, timestamp: null, algorithm: rule.algorithm });
  },
};

function claimOf(claim: Omit<Claim, "algorithm"> & { algorithm?: string }): Claim | null {
  // Without a key, anyone could compute the HMAC.
  const keys = claim.keys.filter((key) => key.length > 0);
  return claim.offered.length === 0 || keys.length === 0 ? null : { algorithm: "sha256", ...claim, keys };
}

/**
 * A standard secret is base64 after `whsec_`. One that was typed without the prefix may be either, so both are tried.
 */
function standardKeys(secret: string): Buffer[] {
  if (secret.startsWith("whsec_")) return decode(secret.slice(6), "base64");
  return [Buffer.from(secret), ...decode(secret, "base64")];
}

/** @returns an empty list for a text that is not in the encoding: a lenient decoder would make other signatures equal */
function decode(text: string, encoding: "hex" | "base64"): Buffer[] {
  const digits = text.replace(/=+$/, "").length;
  const isWhole = encoding === "hex" ? HEX.test(text) && digits % 2 === 0 : BASE64.test(text) && digits % 4 !== 1;
  if (!isWhole) return [];
  return [Buffer.from(text, encoding)];
}

function unprefixed(header: string | null, prefix: string): Buffer[] {
  return header?.startsWith(prefix) ? decode(header.slice(prefix.length), "hex") : [];
}

function isFresh(timestamp: string | null, toleranceSeconds: number, now: Date): boolean {
  if (timestamp === null) return true;
  if (!/^\d{1,12}$/.test(timestamp)) return false;
  return Math.abs(now.getTime() / 1_000 - Number(timestamp)) <= toleranceSeconds;
}

/** Compares every signature with every key, whatever the earlier results, each in constant time. */
function matchesAny({ offered, signed, keys, algorithm }: Claim): boolean {
  let isMatch = false;
  for (const key of keys) {
    const hmac = createHmac(algorithm, key);
    for (const part of signed) hmac.update(part);
    const expected = hmac.digest();
    for (const signature of offered) {
      const isSameLength = signature.length === expected.length;
      const isEqual = timingSafeEqual(isSameLength ? signature : Buffer.alloc(expected.length), expected);
      isMatch = (isSameLength && isEqual) || isMatch;
    }
  }
  return isMatch;
}
