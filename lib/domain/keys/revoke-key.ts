import { ApiError } from "#lib/contract/error/api-error";
import type { KeyObject } from "#lib/contract/wire/web";
import { type Actor, recordAudit } from "#lib/domain/audit/record-audit";
import { KEY_COLUMNS, KEY_ROW, type KeyRow, presentKey } from "#lib/domain/keys/present-key";
import { uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import type { Db } from "#lib/platform/db/pool";
import { type PrismaTx, prismaTransaction } from "#lib/platform/db/prisma";

interface RevokeKeyRequest {
  workspaceId: string;
  keyId: string;
  actor: Actor;
}

/**
 * Revokes a key forever: its next request gets 401, its runs continue, and its slot is free (contract, API keys).
 * Revoking it again changes nothing and returns the same answer.
 * @throws ApiError NOT_FOUND, also for a key of another workspace
 */
export async function revokeKey(request: RevokeKeyRequest): Promise<KeyObject> {
  return prismaTransaction(async (tx) => {
    await markRevoked(tx, request);
    return presentKey(await getKeyRow(tx, request.workspaceId, request.keyId), new Date());
  });
}

/** Makes the guarded change and its audit row, or nothing if the key was not active. */
export async function markRevoked(tx: PrismaTx, { workspaceId, keyId, actor }: RevokeKeyRequest): Promise<void> {
  const [details] = await tx.prisma.apiKey.updateManyAndReturn({
    where: { workspaceId, id: keyId, isActive: true },
    data: { isActive: false, revokedAt: new Date() },
    select: { name: true, prefix: true },
  });
  if (!details) return;
  await recordAudit(tx, { workspaceId, actor, action: "key.revoked", objectType: "api_key", objectId: keyId, details });
}

const selectKey = defineStatement({
  name: "get_key",
  params: { workspaceId: uuid, keyId: uuid },
  row: KEY_ROW,
  sql: `select ${KEY_COLUMNS} from api_keys k where k.workspace_id = $1 and k.id = $2`,
  isPrepared: false,
});

/** @throws ApiError NOT_FOUND */
export async function getKeyRow(tx: Db, workspaceId: string, keyId: string): Promise<KeyRow> {
  const key = await selectKey.first(tx, { workspaceId, keyId });
  if (!key) throw new ApiError("NOT_FOUND", "There is no such key.");
  return key;
}
