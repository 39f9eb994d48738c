import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { expect, test } from "vitest";
import { customVerification } from "#lib/contract/webhooks/verification";
import { describeSecretMisfit } from "#lib/domain/triggers/verification/describe-secret-misfit";
import type { ChosenScheme } from "#lib/domain/triggers/verification/webhook-rule";

const RULE = { algorithm: "sha256", encoding: "hex", tolerance_seconds: 300 } as const;
const rsa = generateKeyPairSync("rsa", { modulusLength: 2_048 });
const ed25519 = generateKeyPairSync("ed25519");
const p256 = generateKeyPairSync("ec", { namedCurve: "P-256" });
const p384 = generateKeyPairSync("ec", { namedCurve: "P-384" });
const pem = (key: KeyObject) => key.export({ format: "pem", type: "spki" }).toString();
const der = (key: KeyObject) => key.export({ format: "der", type: "spki" });
const privatePem = (key: KeyObject) => key.export({ format: "pem", type: "pkcs8" }).toString();
const jwk = (key: KeyObject) => JSON.stringify(key.export({ format: "jwk" }));
const bare = (encoding: "hex" | "base64") => der(ed25519.publicKey).subarray(-32).toString(encoding);

function misfitOf(verification: object, secret: string): string | null {
  const parsed = customVerification.parse(verification);
  return describeSecretMisfit({ ...RULE, scheme: "custom", verification: parsed }, secret);
}
const publicKey = (algorithm: string, key = "pem") => ({
  type: "public_key",
  signature: { header: "x-sig" },
  algorithm,
  key,
});
const jwt = (algorithm: string) => ({ type: "jwt", token: { header: "authorization" }, algorithm });
const hmac = (key: string) => ({ type: "hmac", signature: { header: "x-sig" }, key });

test.each<[string, object, string]>([
  ["PEM for RSA", publicKey("rsa-sha256"), pem(rsa.publicKey)],
  ["PEM without its line ends", publicKey("rsa-pss-sha512"), pem(rsa.publicKey).replaceAll("\n", "")],
  [
    "base64 in lines",
    publicKey("rsa-sha256", "spki-base64"),
    der(rsa.publicKey)
      .toString("base64")
      .replace(/(.{64})/g, "$1\n"),
  ],
  ["PEM for ECDSA", publicKey("ecdsa-sha256"), pem(p256.publicKey)],
  ["a JWK for Ed25519", publicKey("ed25519", "jwk"), jwk(ed25519.publicKey)],
  ["hexadecimal digits for Ed25519", publicKey("ed25519", "raw-hex"), bare("hex")],
  ["base64 for Ed25519, with its prefix", publicKey("ed25519", "raw-base64"), `whpk_${bare("base64")}`],
  ["a key and one that replaces it", publicKey("rsa-sha256"), pem(rsa.publicKey) + pem(rsa.publicKey)],
  ["PEM for a token", jwt("RS256"), pem(rsa.publicKey)],
  ["a set of keys for a token", jwt("ES256"), `{"keys":[${jwk(rsa.publicKey)},${jwk(p256.publicKey)}]}`],
  ["a text for a token with HMAC", jwt("HS256"), "any text"],
  ["a text for HMAC", hmac("utf8"), "any text"],
  ["hexadecimal digits for HMAC", hmac("hex"), "0a0B0c"],
  ["base64 for HMAC", hmac("base64"), "c2VjcmV0"],
  ["a standard secret", hmac("whsec"), "whsec_c2VjcmV0"],
  ["two lines, while a secret rotates", hmac("hex"), "0a0b\n0c0d"],
  ["a token", { type: "token", token: { header: "x-token" } }, "any text"],
])("a secret can be %s", (_name, verification, secret) => {
  expect(misfitOf(verification, secret)).toBeNull();
});

const ED25519 = "can't verify any delivery: it must be an Ed25519 public key, as PEM, JWK or base64";
const RSA = "can't verify any delivery: it must be an RSA public key, as PEM, JWK or base64";

test.each<[string, object, string, string]>([
  ["a text for RSA", publicKey("rsa-sha256"), "s3cret", RSA],
  ["a cut PEM", publicKey("rsa-sha256"), pem(rsa.publicKey).slice(0, 200), RSA],
  ["a PEM with other letters in it", publicKey("rsa-sha256"), pem(rsa.publicKey).replace(/[A-Z]{2}/g, "!!"), RSA],
  ["an RSA key for Ed25519", publicKey("ed25519"), pem(rsa.publicKey), ED25519],
  ["an Ed25519 key for RSA", publicKey("rsa-sha256"), pem(ed25519.publicKey), RSA],
  [
    "a key too short to be safe",
    publicKey("rsa-sha256"),
    pem(generateKeyPairSync("rsa", { modulusLength: 512 }).publicKey),
    RSA,
  ],
  [
    "63 digits",
    publicKey("ed25519", "raw-hex"),
    bare("hex").slice(1),
    "can't verify any delivery: it must be an Ed25519 public key, as 64 hexadecimal digits",
  ],
  [
    "base64 of 31 bytes",
    publicKey("ed25519", "raw-base64"),
    Buffer.alloc(31).toString("base64"),
    "can't verify any delivery: it must be an Ed25519 public key, as base64 of 32 bytes",
  ],
  [
    "P-384 for ES256",
    jwt("ES256"),
    pem(p384.publicKey),
    "can't verify any delivery: it must be an ECDSA (P-256) public key, as PEM, JWK or base64",
  ],
  ["an empty set of keys", jwt("RS256"), '{"keys":[]}', RSA],
  [
    "a private key",
    publicKey("rsa-sha256"),
    privatePem(rsa.privateKey),
    "is a private key, which only the sender may have. Set an RSA public key, as PEM, JWK or base64, and replace the key pair",
  ],
  [
    "a private JWK",
    jwt("EdDSA"),
    jwk(ed25519.privateKey),
    "is a private key, which only the sender may have. Set an Ed25519 public key, as PEM, JWK or base64, and replace the key pair",
  ],
  [
    "an odd number of digits",
    hmac("hex"),
    "0a0",
    "can't verify any delivery: it must be hexadecimal digits, two for each byte",
  ],
  ["a text for base64", hmac("base64"), "not base64!", "can't verify any delivery: it must be base64"],
  [
    "a standard secret with another text",
    hmac("whsec"),
    "whsec_***",
    "can't verify any delivery: it must be base64 after whsec_",
  ],
])("a secret that verifies nothing is refused: %s", (_name, verification, secret, problem) => {
  expect(misfitOf(verification, secret)).toBe(problem);
});

test.each<[ChosenScheme, string, boolean]>([
  ["discord", "s3cret", true],
  ["discord", bare("hex"), false],
  ["standard_public_key", `whpk_${bare("base64")}`, false],
  ["sendgrid", pem(rsa.publicKey), true],
  ["sendgrid", der(p256.publicKey).toString("base64"), false],
  ["github", "s3cret", false],
  ["stripe", "whsec_anything", false],
  ["generic", "s3cret", false],
])("the secret of %s is checked as the sender's row says", (scheme, secret, isRefused) => {
  expect(describeSecretMisfit({ ...RULE, scheme }, secret) !== null).toBe(isRefused);
});

test("a sender that is recognized by its deliveries can have any secret", () => {
  expect(describeSecretMisfit({ ...RULE, scheme: "auto" }, "s3cret")).toBeNull();
});
