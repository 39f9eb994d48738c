import { randomBytes } from "node:crypto";
import { KEY_PREFIX_LENGTH, KEY_RANDOM_BYTES, KEY_SALT_BYTES } from "#lib/contract/api-key";
import type { Scope } from "#lib/contract/scopes";
import { hashKey } from "#lib/domain/keys/hash-key";
import { KEY_COLUMNS, type KeyRow } from "#lib/domain/keys/present-key";
import type { Db } from "#lib/platform/db/pool";
import { uuidv7 } from "#lib/support/ids";

export interface NewKey {
  workspaceId: string;
  /** The user whose run limit the key's runs count against. */
  userId: string;
  name: string;
  scopes: readonly Scope[];
  expiresAt: Date | null;
  /** Null is every action of the workspace. */
  actionSlugs: readonly string[] | null;
  rotatedFromId: string | null;
}

/** Makes the secret and its row. The raw key exists in the answer only: the row has the hash (contract, API keys). */
export async function insertKey(tx: Db, key: NewKey): Promise<{ row: KeyRow; rawKey: string }> {
  const rawKey = `svc_${randomBytes(KEY_RANDOM_BYTES).toString("base64url")}`;
  const salt = randomBytes(KEY_SALT_BYTES);
  const { rows } = await tx.query<KeyRow>({
    text: `with k as (
             insert into api_keys (id, workspace_id, created_by, name, prefix, salt, secret_hash, scopes, expires_at,
               action_slugs, rotated_from_id)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) returning *)
           select ${KEY_COLUMNS} from k`,
    values: [
      uuidv7(),
      key.workspaceId,
      key.userId,
      key.name,
      rawKey.slice(0, KEY_PREFIX_LENGTH),
      salt,
      hashKey(salt, rawKey),
      key.scopes,
      key.expiresAt,
      key.actionSlugs,
      key.rotatedFromId,
    ],
  });
  const row = rows[0];
  if (!row) throw new Error("the key was not stored");
  return { row, rawKey };
}
