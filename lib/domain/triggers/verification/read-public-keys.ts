import { createPublicKey, type JsonWebKeyInput, type KeyObject, X509Certificate } from "node:crypto";
import { decodeBytes } from "#lib/domain/triggers/verification/decode-bytes";
import { isJsonObject } from "#lib/support/json";

/** The DER header of a bare Ed25519 key (RFC 8410). */
const ED25519_HEADER = Buffer.from("302a300506032b6570032100", "hex");
const PEM = /-----BEGIN ([A-Z ]+)-----([\s\S]*?)-----END/g;
const MAX_KEYS = 10;
/** A longer key would take more time than a delivery may; a shorter one can be broken. */
const RSA_BITS = { min: 1_024, max: 8_192 };

/**
 * Reads the public keys in a text: PEM (also without its line ends, or with `\n` written out), a JWK or a set of them
 * (RFC 7517), or base64 of a SubjectPublicKeyInfo. Several in one text are those between which a sender rotates.
 * @param bare the encoding of a bare Ed25519 key
 * @param kid the key of a set to use; null for any
 * @returns an empty list for a text that has no public key
 */
export function readPublicKeys(
  text: string,
  { bare = null, kid = null }: { bare?: "hex" | "base64" | null; kid?: string | null } = {},
): KeyObject[] {
  const trimmed = text.trim();
  if (bare !== null) {
    const body = trimmed.replace(/^whpk_/, "");
    return decodeBytes(body, bare).flatMap((bytes) => tryDer(Buffer.concat([ED25519_HEADER, bytes]), "spki"));
  }
  if (trimmed.startsWith("{")) return readJwks(trimmed, kid);
  const pems = [...trimmed.replaceAll("\\n", "\n").matchAll(PEM)].slice(0, MAX_KEYS);
  if (pems.length > 0) return pems.flatMap(([, label = "", body = ""]) => readPem(label, body));
  return decodeBytes(trimmed.replace(/\s+/g, ""), "base64").flatMap((der) => tryDer(der, "spki"));
}

function readPem(label: string, body: string): KeyObject[] {
  const der = Buffer.from(body.replace(/\s+/g, ""), "base64");
  switch (label) {
    case "PUBLIC KEY":
      return tryDer(der, "spki");
    case "RSA PUBLIC KEY":
      return tryDer(der, "pkcs1");
    case "CERTIFICATE":
      return attempt(() => new X509Certificate(der).publicKey);
    // A private key does not belong here, even though a public one can be derived from it.
    default:
      return [];
  }
}

function readJwks(text: string, kid: string | null): KeyObject[] {
  const [value] = attempt((): unknown => JSON.parse(text));
  if (!isJsonObject(value)) return [];
  const keys = Array.isArray(value.keys) ? value.keys.filter(isJsonObject) : [value];
  const named = kid === null || !Array.isArray(value.keys) ? keys : keys.filter((key) => key.kid === kid);
  return named
    .slice(0, MAX_KEYS)
    .filter((key) => !("d" in key))
    .flatMap((key) => attempt(() => createPublicKey({ key, format: "jwk" } as JsonWebKeyInput)).filter(isUsable));
}

function tryDer(key: Buffer, type: "spki" | "pkcs1"): KeyObject[] {
  return attempt(() => createPublicKey({ key, format: "der", type })).filter(isUsable);
}

function isUsable({ asymmetricKeyDetails }: KeyObject): boolean {
  const bits = asymmetricKeyDetails?.modulusLength;
  return bits === undefined || (bits >= RSA_BITS.min && bits <= RSA_BITS.max);
}

function attempt<Value>(read: () => Value): Value[] {
  try {
    return [read()];
  } catch {
    return [];
  }
}
