import { requireStartedKey } from "#lib/domain/resealing/check-encryption-keys";
import { areInstanceKeysKnown } from "#scripts/admin/prepare-environment";

/**
 * For commands that may seal something: what they seal, the running processes must open.
 * @param isSealing whether they surely do
 * @throws Error where nobody said with which keys the instance seals, or it was not started with them
 */
export async function assertKeysFit(isSealing = false): Promise<void> {
  if (areInstanceKeysKnown()) return requireStartedKey();
  if (isSealing) {
    throw new Error("The workflow holds a secret: set ENCRYPTION_KEYS, or DATA_DIR, to those of the instance.");
  }
}
