import { requireStartedKey } from "#lib/domain/resealing/check-encryption-keys";
import { areInstanceKeysKnown } from "#scripts/admin/prepare-environment";

/**
 * For commands that may seal values: the running processes must be able to open them.
 * @param isSealing whether they always seal
 * @throws Error when it is unknown which keys the instance seals with, or it was not started with them
 */
export async function assertKeysFit(isSealing = false): Promise<void> {
  if (areInstanceKeysKnown()) return requireStartedKey();
  if (isSealing) {
    throw new Error("The workflow holds a secret: set ENCRYPTION_KEYS, or DATA_DIR, to those of the instance.");
  }
}
