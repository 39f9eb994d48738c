import { createHash } from "node:crypto";

/** contract, API keys: sha256 of the salt followed by the raw key. 192 random bits need no slow hash. */
export function hashKey(salt: Uint8Array, rawKey: string): Buffer {
  return createHash("sha256").update(salt).update(rawKey).digest();
}
