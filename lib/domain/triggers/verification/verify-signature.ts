import { createHash, createHmac, createPublicKey, type KeyObject, timingSafeEqual, verify } from "node:crypto";
import type { WebhookVerification } from "#lib/contract/webhooks/verification";
import { isForm } from "#lib/core/input/read-form";
import type { WebhookConfig } from "#lib/core/steps/trigger/trigger-data";
import { type Delivery, type DeliveryValues, valuesOf } from "#lib/domain/triggers/verification/delivery";
import { fillTemplate } from "#lib/domain/triggers/verification/fill-template";
import { isRecent } from "#lib/domain/triggers/verification/is-recent";
import { verifyJwt } from "#lib/domain/triggers/verification/verify-jwt";
import { findVerification, type WebhookRule } from "#lib/domain/triggers/verification/webhook-rule";

/** What the sender of a webhook must prove. */
export interface SignatureRule extends WebhookRule {
  secret: string;
}

type Scheme = Exclude<WebhookConfig["scheme"], "auto">;
export type Verdict =
  | { isGenuine: true; scheme: Scheme }
  /** `reason` is for the delivery log: it helps the person who configures a sender, and is not sent to the caller. */
  | { isGenuine: false; reason: string };

type Signed = Extract<WebhookVerification, { signature: unknown }>;
/** `missing`: what should prove it is not there, or cannot be read. */
type Proof = "right" | "wrong" | "missing";

const HEX = /^[0-9a-f]+$/i;
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;

/**
 * Verifies that the holder of the secret sent exactly these bytes, and recently (decisions, Inbound webhooks). If the
 * scheme has a timestamp, the tolerance applies in both directions. Anything missing or unreadable is refused.
 * @param certificate what `fetchCertificate` returned for this delivery
 */
export function verifySignature(
  rule: SignatureRule,
  delivery: Delivery,
  certificate: KeyObject | null = null,
): Verdict {
  const found = findVerification(rule, delivery.headers);
  if (found === null) return { isGenuine: false, reason: "no signature header" };
  const { scheme, verification } = found;
  const values = valuesOf(delivery);
  const proof = prove(verification, { secret: rule.secret, values, certificate });
  if (proof === "missing") return { isGenuine: false, reason: `the ${scheme} signature is missing or malformed` };
  if (!isRecent(verification, rule.tolerance_seconds, values)) {
    return { isGenuine: false, reason: `the ${scheme} timestamp is malformed or too far from now` };
  }
  if (proof === "wrong") return { isGenuine: false, reason: `the ${scheme} signature does not match` };
  return { isGenuine: true, scheme };
}

interface Evidence {
  secret: string;
  values: DeliveryValues;
  certificate: KeyObject | null;
}

function prove(verification: WebhookVerification, evidence: Evidence): Proof {
  const { secret, values } = evidence;
  switch (verification.type) {
    case "token": {
      const given = decodeToken(verification, values.one(verification.token));
      return given === null ? "missing" : isSame(given, Buffer.from(secret)) ? "right" : "wrong";
    }
    case "jwt": {
      const token = values.one(verification.token)?.replace(/^Bearer\s+/i, "");
      return !token ? "missing" : verifyJwt(token, secret, values.delivery.receivedAt) ? "right" : "wrong";
    }
    default:
      return proveSigned(verification, evidence);
  }
}

function proveSigned(verification: Signed, { secret, values, certificate }: Evidence): Proof {
  const offered = readSignatures(verification, values);
  const { timestamp: at } = verification;
  const timestamp = at ? values.one(at.from) : null;
  const signed = fillTemplate(verification.signed, { values, secret, timestamp });
  if (offered.length === 0 || signed === null) return "missing";
  if (!coversBody(verification, values)) return "wrong";
  if (verification.type === "hmac") {
    const keys = hmacKeys(verification.key, secret);
    if (keys.length === 0) return "missing";
    return matchesHmac({ algorithm: verification.algorithm, keys, signed, offered }) ? "right" : "wrong";
  }
  const key = verification.type === "certificate" ? certificate : readPublicKey(verification, secret);
  if (key === null) return "missing";
  const data = Buffer.concat(signed.map((part) => Buffer.from(part)));
  return offered.some((signature) => matchesKey(key, data, signature)) ? "right" : "wrong";
}

function readSignatures(verification: Signed, values: DeliveryValues): Buffer[] {
  const { prefix = "", is_prefix_optional: isOptional, encoding } = verification;
  return values.all(verification.signature).flatMap((text) => {
    if (text.toLowerCase().startsWith(prefix.toLowerCase())) return decode(text.slice(prefix.length), encoding);
    return isOptional ? decode(text, encoding) : [];
  });
}

/** Some senders sign the digest of a body that is not a form, instead of the body. */
function coversBody({ body_digest: place }: Signed, values: DeliveryValues): boolean {
  const { headers, body } = values.delivery;
  if (place === undefined || isForm(headers) || body.byteLength === 0) return true;
  const given = values.one(place);
  return (
    given !== null &&
    isSame(Buffer.from(given.toLowerCase()), Buffer.from(createHash("sha256").update(body).digest("hex")))
  );
}

/** Without a key, anyone could compute the HMAC. */
export function hmacKeys(format: Extract<Signed, { type: "hmac" }>["key"], secret: string): Buffer[] {
  const keys =
    format === "utf8" ? [Buffer.from(secret)] : format === "whsec" ? standardKeys(secret) : decode(secret, format);
  return keys.filter((key) => key.length > 0);
}

/**
 * A standard secret is base64 after `whsec_`. One that was typed without the prefix may be either, so both are tried.
 */
export function standardKeys(secret: string): Buffer[] {
  if (secret.startsWith("whsec_")) return decode(secret.slice(6), "base64");
  return [Buffer.from(secret), ...decode(secret, "base64")];
}

const KEY_TYPES = { ed25519: "ed25519", "ecdsa-sha256": "ec" } as const;
/** The DER header of a bare Ed25519 key (RFC 8410). */
const ED25519_HEADER = Buffer.from("302a300506032b6570032100", "hex");

/** @returns null for a text that is no such key */
function readPublicKey(
  { algorithm, key: format }: Extract<Signed, { type: "public_key" }>,
  secret: string,
): KeyObject | null {
  const [bytes] = decode(secret.trim(), format === "raw-hex" ? "hex" : "base64");
  if (bytes === undefined) return null;
  const der = format === "spki-base64" ? bytes : Buffer.concat([ED25519_HEADER, bytes]);
  try {
    const key = createPublicKey({ key: der, format: "der", type: "spki" });
    return key.asymmetricKeyType === KEY_TYPES[algorithm] ? key : null;
  } catch {
    return null;
  }
}

function matchesKey(key: KeyObject, data: Buffer, signature: Buffer): boolean {
  return verify(key.asymmetricKeyType === "ed25519" ? null : "sha256", data, key, signature);
}

/** @returns an empty list for a text that is not in the encoding: a lenient decoder would make other signatures equal */
function decode(text: string, encoding: "hex" | "base64"): Buffer[] {
  const digits = text.replace(/=+$/, "").length;
  const isWhole = encoding === "hex" ? HEX.test(text) && digits % 2 === 0 : BASE64.test(text) && digits % 4 !== 1;
  return isWhole ? [Buffer.from(text, encoding)] : [];
}

function decodeToken({ prefix = "", encoding }: Extract<WebhookVerification, { type: "token" }>, text: string | null) {
  if (text === null || !text.toLowerCase().startsWith(prefix.toLowerCase())) return null;
  const given = text.slice(prefix.length);
  return encoding === "text" ? Buffer.from(given) : (decode(given, encoding)[0] ?? null);
}

/** Compares every signature with every key, whatever the earlier results, each in constant time. */
function matchesHmac(claim: {
  algorithm: string;
  keys: Buffer[];
  signed: (string | Buffer)[];
  offered: Buffer[];
}): boolean {
  let isMatch = false;
  for (const key of claim.keys) {
    const hmac = createHmac(claim.algorithm, key);
    for (const part of claim.signed) hmac.update(part);
    const expected = hmac.digest();
    for (const signature of claim.offered) isMatch = isSame(signature, expected) || isMatch;
  }
  return isMatch;
}

function isSame(given: Buffer, expected: Buffer): boolean {
  const isSameLength = given.length === expected.length;
  return timingSafeEqual(isSameLength ? given : Buffer.alloc(expected.length), expected) && isSameLength;
}
