import type { KeyObject } from "#lib/contract/wire/web";
import { type Actor, recordAudit } from "#lib/domain/audit/record-audit";
import { presentKey } from "#lib/domain/keys/present-key";
import { getKeyRow } from "#lib/domain/keys/revoke-key";
import { uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { transaction } from "#lib/platform/db/pool";

interface KeepBothKeysRequest {
  workspaceId: string;
  /** The replacement. */
  keyId: string;
  actor: Actor;
}

const endRotation = defineStatement({
  name: "keep_both_keys",
  params: { workspaceId: uuid, keyId: uuid },
  row: { rotated_from: uuid },
  sql: `update api_keys k set rotated_from_id = null from api_keys o
        where k.workspace_id = $1 and k.id = $2 and o.id = k.rotated_from_id and o.is_active and k.is_active
        returning o.id as rotated_from`,
  isPrepared: false,
});

/**
 * Ends a rotation without revoking anything: the replacement becomes a key like any other. Has no effect on a key that
 * replaces none.
 * @throws ApiError NOT_FOUND, also for a key of another workspace
 */
export async function keepBothKeys({ workspaceId, keyId, actor }: KeepBothKeysRequest): Promise<KeyObject> {
  return transaction(async (tx) => {
    const details = await endRotation.first(tx, { workspaceId, keyId });
    const row = await getKeyRow(tx, workspaceId, keyId);
    if (details) {
      const entry = { action: "key.kept" as const, objectType: "api_key", objectId: keyId, details };
      await recordAudit(tx, { ...entry, workspaceId, actor });
    }
    return presentKey(row, new Date());
  });
}
