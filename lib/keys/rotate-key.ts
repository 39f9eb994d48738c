import { type Actor, recordAudit } from "#lib/audit/record-audit";
import { ApiError } from "#lib/contract/api-error";
import type { CreatedKey } from "#lib/contract/web";
import { transaction } from "#lib/db/transaction";
import { insertKey } from "#lib/keys/insert-key";
import { presentKey } from "#lib/keys/present-key";
import { getKeyRow, markRevoked } from "#lib/keys/revoke-key";

interface RotateKeyRequest {
  workspaceId: string;
  keyId: string;
  /** Who rotates it. The key's creator stays: the replacement's runs count against the same user. */
  actor: Actor;
}

/**
 * Replaces a key by one with the same name, scopes, expiry and actions and revokes the original, in one transaction
 * (contract, Key lifecycle). The number of active keys stays, so it works at a full quota.
 * @throws ApiError NOT_FOUND; BAD_REQUEST when the key is no longer active, for a replacement would be born expired or
 * bring back what was taken away
 */
export async function rotateKey(request: RotateKeyRequest): Promise<CreatedKey> {
  const { workspaceId, keyId, actor } = request;
  return transaction(async (tx) => {
    // The lock makes two rotations of one key at once end in one replacement: the second finds it revoked.
    const { rows } = await tx.query<{ created_by: string }>({
      text: "select created_by from api_keys where workspace_id = $1 and id = $2 for no key update",
      values: [workspaceId, keyId],
    });
    const now = new Date();
    const original = await getKeyRow(tx, workspaceId, keyId);
    const { status } = presentKey(original, now);
    if (status !== "active" || !rows[0]) {
      throw new ApiError("BAD_REQUEST", `The key is ${status}; only an active key can be rotated. Create a new one.`);
    }
    const { row, rawKey } = await insertKey(tx, {
      workspaceId,
      userId: rows[0].created_by,
      name: original.name,
      scopes: original.scopes,
      expiresAt: original.expires_at,
      actionSlugs: original.action_slugs,
      rotatedFromId: keyId,
    });
    await markRevoked(tx, request);
    await recordAudit(tx, {
      workspaceId,
      actor,
      action: "key.rotated",
      objectType: "api_key",
      objectId: row.id,
      details: { rotated_from: keyId, prefix: row.prefix },
    });
    return { ...presentKey(row, now), raw_key: rawKey };
  });
}
