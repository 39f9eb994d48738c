import { requireStartedKey } from "#lib/domain/resealing/check-encryption-keys";
import { areInstanceKeysKnown } from "#scripts/admin/prepare-environment";

/**
 * Checks that the running processes can open values that a command seals.
 * @param isSealing true if the command always seals
 * @throws Error if the instance's keys are unknown, or if the instance started without them
 */
export async function assertKeysFit(isSealing = false): Promise<void> {
  if (areInstanceKeysKnown()) return requireStartedKey();
  if (isSealing) {
    throw new Error(
      "The workflow contains a secret. Set ENCRYPTION_KEYS or DATA_DIR to the same value as the instance.",
    );
  }
}
