import { randomBytes } from "node:crypto";
import { KEY_PREFIX_LENGTH, KEY_RANDOM_BYTES, KEY_SALT_BYTES, SCOPES, type Scope } from "#lib/contract/key/scopes";
import { KEY_COLUMNS, KEY_ROW, type KeyRow } from "#lib/domain/keys/present-key";
import { hashKey } from "#lib/domain/keys/verify-key";
import { array, bytea, enumOf, nullable, text, timestamptz, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import type { Db } from "#lib/platform/db/pool";
import { uuidv7 } from "#lib/support/ids";

export interface NewKey {
  workspaceId: string;
  /** The user whose run limit the key's runs count against. */
  userId: string;
  name: string;
  scopes: readonly Scope[];
  expiresAt: Date | null;
  /** Null means every action of the workspace. */
  actionSlugs: readonly string[] | null;
  rotatedFromId: string | null;
}

const insertRow = defineStatement({
  name: "insert_key",
  params: {
    id: uuid,
    workspaceId: uuid,
    userId: uuid,
    name: text,
    prefix: text,
    salt: bytea,
    secretHash: bytea,
    scopes: array(enumOf(SCOPES)),
    expiresAt: nullable(timestamptz),
    actionSlugs: nullable(array(text)),
    rotatedFromId: nullable(uuid),
  },
  row: KEY_ROW,
  sql: `with k as (
          insert into api_keys (id, workspace_id, created_by, name, prefix, salt, secret_hash, scopes, expires_at,
            action_slugs, rotated_from_id)
          values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) returning *)
        select ${KEY_COLUMNS} from k`,
  isPrepared: false,
});

/** Creates the secret and its row. Only the answer contains the raw key; the row has its hash (contract, API keys). */
export async function insertKey(tx: Db, key: NewKey): Promise<{ row: KeyRow; rawKey: string }> {
  const rawKey = `svc_${randomBytes(KEY_RANDOM_BYTES).toString("base64url")}`;
  const salt = randomBytes(KEY_SALT_BYTES);
  const row = await insertRow.one(tx, {
    ...key,
    id: uuidv7(),
    prefix: rawKey.slice(0, KEY_PREFIX_LENGTH),
    salt,
    secretHash: hashKey(salt, rawKey),
  });
  return { row, rawKey };
}
