import { createHash } from "node:crypto";

/** Hashes the salt followed by the raw key with sha256 (contract, API keys). 192 random bits need no slow hash. */
export function hashKey(salt: Uint8Array, rawKey: string): Buffer {
  return createHash("sha256").update(salt).update(rawKey).digest();
}
