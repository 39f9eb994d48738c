import { randomBytes } from "node:crypto";
import { z } from "zod";
import { checkEncryption, type EncryptionReport } from "#lib/domain/resealing/check-encryption";
import { forgetKey } from "#lib/domain/resealing/check-encryption-keys";
import { resealValues } from "#lib/domain/resealing/reseal-values";
import { parseEncryptionKeys } from "#lib/platform/secrets/seal";
import { type AdminCommand, adminCommand } from "#scripts/admin/admin-command";
import { areInstanceKeysKnown, generatedSecretsFolder } from "#scripts/admin/prepare-environment";
import { loadSecrets, saveSecrets } from "#scripts/instance/secrets";

export const ENCRYPTION_COMMANDS: Record<string, AdminCommand> = {
  "add-encryption-key": adminCommand(z.object({}), addEncryptionKey),
  "check-encryption": adminCommand(z.object({}), requireReadable),
  reseal: adminCommand(z.object({}), resealValues),
  "forget-encryption-key": adminCommand(z.object({ id: z.string() }), async ({ id }) => {
    if (await forgetKey(id)) return { forgotten: id };
    throw new Error(`--id: this database has no record of a key "${id}".`);
  }),
};

/** @throws Error that names the missing or wrong keys, and where their values are */
async function requireReadable(): Promise<Pick<EncryptionReport, "readable">> {
  if (!areInstanceKeysKnown()) {
    throw new Error("Set ENCRYPTION_KEYS or DATA_DIR to the same value as the instance that owns the database.");
  }
  const { readable, unreadable, unreadable_keys: keys } = await checkEncryption();
  if (keys.length === 0) return { readable };
  const ids = keys.map((id) => `"${id}"`).join(", ");
  throw new Error(
    `ENCRYPTION_KEYS cannot decrypt values that were sealed with the key ${ids}: the key is missing, or another one has its id. Restore the ENCRYPTION_KEYS, or secrets.json, of the instance that made the backup.\n${JSON.stringify({ readable, unreadable })}`,
  );
}

/** Adds a new key before the keys that the instance generated. The key takes effect with the next start. */
async function addEncryptionKey(): Promise<{ key: string; next: string }> {
  const folder = generatedSecretsFolder();
  if (folder === null) {
    throw new Error(
      areInstanceKeysKnown()
        ? "This instance reads its keys from ENCRYPTION_KEYS. Add id:$(openssl rand -base64 32) before the other keys in that setting."
        : "There is no secrets.json in DATA_DIR. Set DATA_DIR to the data folder of the instance. If the instance reads its keys from ENCRYPTION_KEYS, add id:$(openssl rand -base64 32) before the other keys in that setting.",
    );
  }
  const secrets = await loadSecrets(folder);
  const known = parseEncryptionKeys(secrets.encryptionKeys).masters;
  const numbers = [...known.keys()].map((id) => Number(/^k(\d+)$/.exec(id)?.[1] ?? 0));
  const key = `k${Math.max(...numbers) + 1}`;
  const encryptionKeys = `${key}:${randomBytes(32).toString("base64")},${secrets.encryptionKeys}`;
  await saveSecrets(folder, { ...secrets, encryptionKeys });
  return { key, next: "Restart the instance, then run reseal." };
}
