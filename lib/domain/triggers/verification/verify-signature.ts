import {
  constants,
  createHash,
  createHmac,
  createSecretKey,
  type KeyObject,
  timingSafeEqual,
  verify,
} from "node:crypto";
import type { WebhookVerification } from "#lib/contract/webhooks/verification";
import { isForm } from "#lib/core/input/read-form";
import type { WebhookConfig } from "#lib/core/steps/trigger/trigger-data";
import { decodeBytes } from "#lib/domain/triggers/verification/decode-bytes";
import { type Delivery, type DeliveryValues, valuesOf } from "#lib/domain/triggers/verification/delivery";
import { fillTemplate } from "#lib/domain/triggers/verification/fill-template";
import { isRecent } from "#lib/domain/triggers/verification/is-recent";
import { listSecrets } from "#lib/domain/triggers/verification/list-secrets";
import { readPublicKeys } from "#lib/domain/triggers/verification/read-public-keys";
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

/** A sender that rotates its secret signs twice; each signature costs a comparison, or a verification with a key. */
const MAX_SIGNATURES = 10;

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
  const proof = proveWithAny(verification, { rule, values, certificate });
  if (proof === "missing") return { isGenuine: false, reason: `the ${scheme} signature is missing or malformed` };
  if (!isRecent(verification, rule.tolerance_seconds, values)) {
    return { isGenuine: false, reason: `the ${scheme} timestamp is malformed or too far from now` };
  }
  if (proof === "wrong") return { isGenuine: false, reason: `the ${scheme} signature does not match` };
  return { isGenuine: true, scheme };
}

interface Evidence {
  secret: string;
  toleranceSeconds: number;
  values: DeliveryValues;
  certificate: KeyObject | null;
}

/** Tries every secret of the trigger, whatever the earlier results. */
function proveWithAny(
  verification: WebhookVerification,
  { rule, ...evidence }: Omit<Evidence, "secret" | "toleranceSeconds"> & { rule: SignatureRule },
): Proof {
  const toleranceSeconds = rule.tolerance_seconds;
  const proofs = listSecrets(rule.secret).map((secret) =>
    prove(verification, { ...evidence, secret, toleranceSeconds }),
  );
  return proofs.includes("right") ? "right" : proofs.includes("wrong") ? "wrong" : "missing";
}

function prove(verification: WebhookVerification, evidence: Evidence): Proof {
  const { secret, values, toleranceSeconds } = evidence;
  switch (verification.type) {
    case "token": {
      // A batch has the token in each of its events.
      const given = values.all(verification.token).map((text) => decodeToken(verification, text));
      if (given.length === 0 || given.includes(null)) return "missing";
      return given.every((one) => one !== null && isSame(one, Buffer.from(secret))) ? "right" : "wrong";
    }
    case "jwt": {
      const token = values.one(verification.token)?.replace(/^Bearer\s+/i, "");
      if (!token) return "missing";
      const { body, receivedAt: now } = values.delivery;
      return verifyJwt(token, { rule: verification, secret, body, now, toleranceSeconds }) ? "right" : "wrong";
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
  const proof = keysOf(verification, { secret, values, certificate });
  if (proof === null || proof.keys.length === 0) return "missing";
  const data = Buffer.concat(signed.map((part) => Buffer.from(part)));
  const isRight = offered.some((signature) => proof.keys.some((key) => matchesKey({ ...proof, key, data, signature })));
  return isRight ? "right" : "wrong";
}

function readSignatures(verification: Signed, values: DeliveryValues): Buffer[] {
  const { prefix = "", is_prefix_optional: isOptional, encoding } = verification;
  return signaturePlaces(verification)
    .flatMap((place) => values.all(place).flatMap((text) => ("header" in place ? splitSignatures(text) : [text])))
    .slice(0, MAX_SIGNATURES)
    .flatMap((text) => {
      if (text.toLowerCase().startsWith(prefix.toLowerCase())) return decodeBytes(text.slice(prefix.length), encoding);
      return isOptional ? decodeBytes(text, encoding) : [];
    });
}

export function signaturePlaces({ signature }: Signed) {
  return Array.isArray(signature) ? signature : [signature];
}

/** `v1=ab,v1=cd` and `ab cd`: no encoding has a comma or a space. */
function splitSignatures(text: string): string[] {
  const parts = text.split(/[\s,;]+/).filter((part) => part !== "");
  return parts.length > 1 ? [text, ...parts] : [text];
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
    format === "utf8"
      ? [Buffer.from(secret)]
      : format === "whsec"
        ? standardKeys(secret)
        : decodeBytes(secret.replace(/\s+/g, ""), format);
  return keys.filter((key) => key.length > 0);
}

/**
 * A standard secret is base64 after `whsec_`, which Supabase writes as `v1,whsec_`, two of them with `|` between them. One
 * that was typed without the prefix may be either, so both are tried.
 */
export function standardKeys(secret: string): Buffer[] {
  const prefixed = secret.split("|").flatMap((text) => /^\s*(?:v1,)?whsec_(.*)$/s.exec(text)?.[1]?.trim() ?? []);
  if (prefixed.length > 0) return prefixed.flatMap((text) => decodeBytes(text, "base64"));
  return [Buffer.from(secret), ...decodeBytes(secret, "base64")];
}

interface KeyProof {
  keys: KeyObject[];
  hash: string | null;
  isPss: boolean;
}

type PublicKeyRule = Extract<WebhookVerification, { type: "public_key" }>;

const KEY_TYPES: Record<string, string> = { ed25519: "ed25519", ecdsa: "ec", rsa: "rsa" };

function partsOf(algorithm: PublicKeyRule["algorithm"]): { family: string; hash: string | null } {
  const [family = "", hash = null] = algorithm.replace("-pss", "").split("-");
  return { family, hash };
}

/** Returns the keys in a secret that can verify a signature of the rule. */
export function publicKeysIn({ algorithm, key: format }: PublicKeyRule, secret: string): KeyObject[] {
  const bare = format === "raw-hex" ? "hex" : format === "raw-base64" ? "base64" : null;
  const { family } = partsOf(algorithm);
  return readPublicKeys(secret, { bare }).filter((key) => key.asymmetricKeyType === KEY_TYPES[family]);
}

/** Returns the keys that may have signed, and how; null if the request lacks what says so. */
function keysOf(
  verification: Exclude<Signed, { type: "hmac" }>,
  { secret, values, certificate }: Omit<Evidence, "toleranceSeconds">,
): KeyProof | null {
  if (verification.type === "public_key") {
    const { algorithm } = verification;
    const { hash } = partsOf(algorithm);
    return { keys: publicKeysIn(verification, secret), hash, isPss: algorithm.includes("-pss") };
  }
  const { digest, secret_at: secretAt } = verification;
  const named = digest === undefined ? null : values.one(digest.at);
  const hash =
    digest === undefined ? "sha256" : named !== null && Object.hasOwn(digest.of, named) ? digest.of[named] : null;
  const isFor = secretAt === undefined || isSame(Buffer.from(values.one(secretAt) ?? ""), Buffer.from(secret));
  if (certificate === null || !hash || !isFor) return null;
  return { keys: [certificate], hash, isPss: false };
}

/** ECDSA signatures come as DER or as two numbers (IEEE P1363); either is proof. */
function matchesKey({
  key,
  hash,
  isPss,
  data,
  signature,
}: Omit<KeyProof, "keys"> & { key: KeyObject; data: Buffer; signature: Buffer }): boolean {
  if (key.asymmetricKeyType === "ed25519") return verify(null, data, key, signature);
  if (key.asymmetricKeyType === "ec") {
    return (["der", "ieee-p1363"] as const).some((dsaEncoding) => verify(hash, data, { key, dsaEncoding }, signature));
  }
  const { RSA_PKCS1_PSS_PADDING, RSA_PKCS1_PADDING, RSA_PSS_SALTLEN_AUTO } = constants;
  if (!isPss) return verify(hash, data, { key, padding: RSA_PKCS1_PADDING }, signature);
  return verify(hash, data, { key, padding: RSA_PKCS1_PSS_PADDING, saltLength: RSA_PSS_SALTLEN_AUTO }, signature);
}

function decodeToken({ prefix = "", encoding }: Extract<WebhookVerification, { type: "token" }>, text: string) {
  if (!text.toLowerCase().startsWith(prefix.toLowerCase())) return null;
  const given = text.slice(prefix.length);
  return encoding === "text" ? Buffer.from(given) : (decodeBytes(given, encoding)[0] ?? null);
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
    // A key in bytes takes 14 µs: Node.js first throws and catches an error inside.
    const hmac = createHmac(claim.algorithm, createSecretKey(key));
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
