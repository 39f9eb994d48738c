import { ApiError } from "#lib/contract/error/api-error";
import { effectiveScopes } from "#lib/contract/key/scopes";
import type { CreatedKey } from "#lib/contract/wire/web";
import { type Actor, recordAudit } from "#lib/domain/audit/record-audit";
import { requireFreeKeySlot } from "#lib/domain/keys/count-active-keys";
import { insertKey } from "#lib/domain/keys/insert-key";
import { type KeyRow, presentKey } from "#lib/domain/keys/present-key";
import { getKeyRow, markRevoked } from "#lib/domain/keys/revoke-key";
import { isActiveKey } from "#lib/domain/workspaces/is-active-key";
import { text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import type { Db } from "#lib/platform/db/pool";
import { prismaTransaction } from "#lib/platform/db/prisma";

interface RotateKeyRequest {
  workspaceId: string;
  keyId: string;
  /**
   * The person who rotates the key. The key's creator does not change: the replacement's runs count against the same
   * user.
   */
  actor: Actor;
  /** Keeps the original active until it is revoked, so that no caller is refused while the replacement is deployed. */
  keepsOriginal?: boolean;
}

/**
 * Creates a replacement with the same name, scopes, expiry and actions, and revokes the original in the same
 * transaction unless both are kept (contract, API keys). If the original is revoked, the number of active keys does not
 * change, so rotation works with a full quota. If the key was itself replacing one that still works, its replacement
 * takes over that role.
 * @throws ApiError NOT_FOUND; KEY_QUOTA_EXCEEDED if both are kept and the plan has no room; BAD_REQUEST if the key is
 * no longer active, because a replacement would be expired from the start or restore revoked access, and if the key
 * already has an active replacement
 */
export async function rotateKey(request: RotateKeyRequest): Promise<CreatedKey> {
  const { workspaceId, keyId, actor, keepsOriginal = false } = request;
  return prismaTransaction(async (tx) => {
    // Taken before the key's own lock: creating a key takes only this one.
    if (keepsOriginal) await requireFreeKeySlot(tx, workspaceId);
    const { original, userId } = await lockActiveKey(tx, workspaceId, keyId);
    if (keepsOriginal) await requireNoReplacement(tx, workspaceId, keyId);
    else await markRevoked(tx, request);
    const { row, rawKey } = await insertKey(tx, {
      workspaceId,
      userId,
      name: original.name,
      scopes: effectiveScopes(original.scopes, original.action_slugs),
      expiresAt: original.expires_at,
      actionSlugs: original.action_slugs,
      rotatedFromId: keepsOriginal ? keyId : (original.replaces?.key_id ?? keyId),
    });
    await recordAudit(tx, {
      workspaceId,
      actor,
      action: "key.rotated",
      objectType: "api_key",
      objectId: row.id,
      details: { rotated_from: keyId, prefix: row.prefix, keeps_original: keepsOriginal },
    });
    return { ...presentKey(row, new Date()), raw_key: rawKey };
  });
}

const lockKey = defineStatement({
  name: "lock_key",
  params: { workspaceId: uuid, keyId: uuid },
  row: { created_by: uuid },
  sql: "select created_by from api_keys where workspace_id = $1 and id = $2 for no key update",
  isPrepared: false,
});

/**
 * The lock makes two concurrent rotations of one key end in one replacement: the second finds the result of the first.
 */
async function lockActiveKey(
  tx: Db,
  workspaceId: string,
  keyId: string,
): Promise<{ original: KeyRow; userId: string }> {
  const locked = await lockKey.first(tx, { workspaceId, keyId });
  const original = await getKeyRow(tx, workspaceId, keyId);
  const { status } = presentKey(original, new Date());
  if (status !== "active" || !locked) {
    throw new ApiError("BAD_REQUEST", `The key is ${status}. Only an active key can be rotated. Create a new one.`);
  }
  return { original, userId: locked.created_by };
}

const selectReplacement = defineStatement({
  name: "find_key_replacement",
  params: { workspaceId: uuid, keyId: uuid },
  row: { prefix: text },
  sql: `select k.prefix from api_keys k
        where k.workspace_id = $1 and k.rotated_from_id = $2 and ${isActiveKey("k")}`,
  isPrepared: false,
});

async function requireNoReplacement(tx: Db, workspaceId: string, keyId: string): Promise<void> {
  const replacement = await selectReplacement.first(tx, { workspaceId, keyId });
  if (!replacement) return;
  throw new ApiError("BAD_REQUEST", `${replacement.prefix}… already replaces this key. Revoke one of the two first.`);
}
