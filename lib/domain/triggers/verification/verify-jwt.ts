import {
  constants,
  createHash,
  createHmac,
  type KeyObject,
  timingSafeEqual,
  type VerifyKeyObjectInput,
  verify,
} from "node:crypto";
import type { WebhookVerification } from "#lib/contract/webhooks/verification";
import { readPublicKeys } from "#lib/domain/triggers/verification/read-public-keys";
import { isJsonObject } from "#lib/support/json";

/** Clocks differ. */
const LEEWAY_SECONDS = 60;

type JwtRule = Extract<WebhookVerification, { type: "jwt" }>;
type KeyOptions = Omit<VerifyKeyObjectInput, "key">;

const PSS: KeyOptions = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };
const RAW: KeyOptions = { dsaEncoding: "ieee-p1363" };

/** How each algorithm with a public key is verified (RFC 7518, 3.1; RFC 8037). */
const ASYMMETRIC: Record<string, { hash: string | null; keyType: string; curve?: string; options?: KeyOptions }> = {
  RS256: { hash: "sha256", keyType: "rsa" },
  RS384: { hash: "sha384", keyType: "rsa" },
  RS512: { hash: "sha512", keyType: "rsa" },
  PS256: { hash: "sha256", keyType: "rsa", options: PSS },
  PS512: { hash: "sha512", keyType: "rsa", options: PSS },
  ES256: { hash: "sha256", keyType: "ec", curve: "prime256v1", options: RAW },
  ES384: { hash: "sha384", keyType: "ec", curve: "secp384r1", options: RAW },
  EdDSA: { hash: null, keyType: "ed25519" },
};

/**
 * Verifies a JSON Web Token with the one algorithm of the rule, its times, and what it says of the body (RFC 7519). The
 * header of the token chooses nothing but the key of a set.
 */
export function verifyJwt(token: string, { rule, secret, body, now, toleranceSeconds }: JwtContext): boolean {
  const [header, payload, signature, ...rest] = token.split(".");
  if (!header || !payload || !signature || rest.length > 0 || secret === "") return false;
  const { alg, kid, crit } = decodePart(header) ?? {};
  const claims = decodePart(payload);
  const given = Buffer.from(signature, "base64url");
  const signed = Buffer.from(`${header}.${payload}`);
  const isSigned = rule.algorithm.startsWith("HS")
    ? matchesHmac(rule.algorithm, { secret, signed, given })
    : matchesKey(rule.algorithm, { secret, kid: typeof kid === "string" ? kid : null, signed, given });
  // RFC 7515, 4.1.11: a token that demands an extension is refused by those who do not know it.
  if (!isSigned || alg !== rule.algorithm || crit !== undefined || claims === null) return false;
  return (
    isInTime(claims, now) &&
    isIssuedInTime(claims, { rule, now, toleranceSeconds }) &&
    coversBody(claims, rule, body) &&
    hasClaims(claims, rule)
  );
}

interface JwtContext {
  rule: JwtRule;
  secret: string;
  body: Buffer;
  now: Date;
  toleranceSeconds: number;
}

function matchesHmac(algorithm: string, { secret, signed, given }: { secret: string; signed: Buffer; given: Buffer }) {
  const expected = createHmac(`sha${algorithm.slice(2)}`, secret)
    .update(signed)
    .digest();
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function matchesKey(
  algorithm: string,
  { secret, kid, signed, given }: { secret: string; kid: string | null; signed: Buffer; given: Buffer },
): boolean {
  const known = ASYMMETRIC[algorithm];
  if (known === undefined) return false;
  const { hash, options } = known;
  return readPublicKeys(secret, { kid })
    .filter((key) => keyForJwt(algorithm, key))
    .some((key) => verify(hash, signed, { key, ...options }, given));
}

/** Reports whether a key can verify a token of an algorithm with public keys. */
export function keyForJwt(algorithm: string, { asymmetricKeyType, asymmetricKeyDetails }: KeyObject): boolean {
  const { keyType, curve } = ASYMMETRIC[algorithm] ?? {};
  return asymmetricKeyType === keyType && (curve === undefined || asymmetricKeyDetails?.namedCurve === curve);
}

function isInTime({ exp, nbf }: Record<string, unknown>, now: Date): boolean {
  const seconds = now.getTime() / 1_000;
  if (exp !== undefined && !(typeof exp === "number" && exp > seconds - LEEWAY_SECONDS)) return false;
  return nbf === undefined || (typeof nbf === "number" && nbf <= seconds + LEEWAY_SECONDS);
}

function isIssuedInTime(
  { iat }: Record<string, unknown>,
  { rule, now, toleranceSeconds }: Pick<JwtContext, "rule" | "now" | "toleranceSeconds">,
): boolean {
  if (!rule.is_issued_recently) return true;
  return typeof iat === "number" && Math.abs(now.getTime() / 1_000 - iat) <= toleranceSeconds;
}

function hasClaims(claims: Record<string, unknown>, { claims: wanted = {} }: JwtRule): boolean {
  return Object.entries(wanted).every(([name, value]) => {
    const given = Object.hasOwn(claims, name) ? [claims[name]].flat() : [];
    return given.some((one) => typeof one !== "object" && String(one) === value);
  });
}

function coversBody(claims: Record<string, unknown>, { body_claim: claim }: JwtRule, body: Buffer): boolean {
  if (claim === undefined) return true;
  const given = Object.hasOwn(claims, claim.name) ? claims[claim.name] : null;
  if (typeof given !== "string") return false;
  const digest = Buffer.from(given, claim.encoding);
  const expected = createHash("sha256").update(body).digest();
  return digest.length === expected.length && timingSafeEqual(digest, expected);
}

function decodePart(part: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, "base64url").toString("utf8"));
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}
