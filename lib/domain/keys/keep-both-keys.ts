import type { KeyObject } from "#lib/contract/web/web";
import { type Actor, recordAudit } from "#lib/domain/audit/record-audit";
import { presentKey } from "#lib/domain/keys/present-key";
import { getKeyRow } from "#lib/domain/keys/revoke-key";
import { transaction } from "#lib/platform/db/transaction";

interface KeepBothKeysRequest {
  workspaceId: string;
  /** The replacement. */
  keyId: string;
  actor: Actor;
}

/**
 * Ends a rotation without revoking anything: the replacement is a key like any other from then on. Of a key that replaces
 * none, nothing changes.
 * @throws ApiError NOT_FOUND, for another workspace's key too
 */
export async function keepBothKeys({ workspaceId, keyId, actor }: KeepBothKeysRequest): Promise<KeyObject> {
  return transaction(async (tx) => {
    const { rows } = await tx.query<{ rotated_from_id: string }>({
      text: `update api_keys k set rotated_from_id = null from api_keys o
             where k.workspace_id = $1 and k.id = $2 and o.id = k.rotated_from_id and o.is_active and k.is_active
             returning o.id as rotated_from_id`,
      values: [workspaceId, keyId],
    });
    const row = await getKeyRow(tx, workspaceId, keyId);
    if (rows[0]) {
      const details = { rotated_from: rows[0].rotated_from_id };
      await recordAudit(tx, {
        workspaceId,
        actor,
        action: "key.kept",
        objectType: "api_key",
        objectId: keyId,
        details,
      });
    }
    return presentKey(row, new Date());
  });
}
