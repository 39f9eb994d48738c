import { randomBytes } from "node:crypto";
import { z } from "zod";
import { forgetKey } from "#lib/domain/resealing/check-encryption-keys";
import { resealValues } from "#lib/domain/resealing/reseal-values";
import { parseEncryptionKeys } from "#lib/platform/secrets/encryption-keys";
import { type AdminCommand, adminCommand } from "#scripts/admin/admin-command";
import { generatedSecretsFolder } from "#scripts/admin/prepare-environment";
import { loadSecrets, saveSecrets } from "#scripts/secrets";

export const INSTANCE_COMMANDS: Record<string, AdminCommand> = {
  "add-encryption-key": adminCommand(z.object({}), addEncryptionKey),
  reseal: adminCommand(z.object({}), resealValues),
  "forget-encryption-key": adminCommand(z.object({ id: z.string() }), async ({ id }) => {
    if (await forgetKey(id)) return { forgotten: id };
    throw new Error(`--id: this database knows no key "${id}".`);
  }),
};

/** Puts a new key before those the instance generated; it takes effect with the next start. */
async function addEncryptionKey(): Promise<{ key: string; next: string }> {
  const folder = generatedSecretsFolder();
  if (folder === null) {
    throw new Error(
      "The keys of this instance come from ENCRYPTION_KEYS: put id:$(openssl rand -base64 32) before them there.",
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
