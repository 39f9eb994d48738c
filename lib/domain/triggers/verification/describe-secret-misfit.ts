import type { WebhookVerification } from "#lib/contract/webhooks/verification";
import { listSecrets } from "#lib/domain/triggers/verification/list-secrets";
import { readPublicKeys } from "#lib/domain/triggers/verification/read-public-keys";
import { keyForJwt } from "#lib/domain/triggers/verification/verify-jwt";
import { hmacKeys, publicKeysIn } from "#lib/domain/triggers/verification/verify-signature";
import { chosenVerification, type WebhookRule } from "#lib/domain/triggers/verification/webhook-rule";

const PRIVATE_KEY = /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----|^\s*\{[\s\S]*"d"\s*:/;
const FORMATS = "as PEM, JWK or base64";

/** What a secret must be, by the encoding of a key for HMAC. */
const ENCODINGS: Readonly<Record<string, string>> = {
  hex: "hexadecimal digits, two for each byte",
  base64: "base64",
  whsec: "base64 after whsec_",
};

const KEY_NAMES: readonly (readonly [start: string, name: string])[] = [
  ["ed25519", "an Ed25519"],
  ["EdDSA", "an Ed25519"],
  ["ecdsa", "an ECDSA"],
  ["ES256", "an ECDSA (P-256)"],
  ["ES384", "an ECDSA (P-384)"],
];

/**
 * Explains why no delivery could ever be verified with a trigger's secret, as the end of a sentence; null if one could. A
 * sender that is recognized by its deliveries can have any secret.
 */
export function describeSecretMisfit(rule: WebhookRule, secret: string): string | null {
  const verification = chosenVerification(rule);
  const wanted = verification === null ? null : describeWanted(verification, listSecrets(secret));
  if (wanted === null) return null;
  return wanted.isPublic && PRIVATE_KEY.test(secret)
    ? `is a private key, which only the sender may have. Set ${wanted.words}, and replace the key pair`
    : `can't verify any delivery: it must be ${wanted.words}`;
}

/** @returns null if one of the secrets fits */
function describeWanted(
  verification: WebhookVerification,
  secrets: readonly string[],
): { words: string; isPublic: boolean } | null {
  switch (verification.type) {
    case "hmac": {
      const { key } = verification;
      return secrets.some((secret) => hmacKeys(key, secret).length > 0)
        ? null
        : { words: ENCODINGS[key] ?? "a text", isPublic: false };
    }
    case "public_key": {
      if (secrets.some((secret) => publicKeysIn(verification, secret).length > 0)) return null;
      const { algorithm, key } = verification;
      const bare = key === "raw-hex" ? "64 hexadecimal digits" : "base64 of 32 bytes";
      return { words: publicKeyWords(algorithm, key.startsWith("raw-") ? `as ${bare}` : FORMATS), isPublic: true };
    }
    case "jwt": {
      const { algorithm } = verification;
      if (algorithm.startsWith("HS")) return null;
      return secrets.some((secret) => readPublicKeys(secret).some((key) => keyForJwt(algorithm, key)))
        ? null
        : { words: publicKeyWords(algorithm, FORMATS), isPublic: true };
    }
    default:
      return null;
  }
}

function publicKeyWords(algorithm: string, format: string): string {
  const name = KEY_NAMES.find(([start]) => algorithm.startsWith(start))?.[1] ?? "an RSA";
  return `${name} public key, ${format}`;
}
