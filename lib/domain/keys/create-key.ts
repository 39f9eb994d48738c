import { ApiError } from "#lib/contract/api-error";
import { DEFAULT_SCOPES, SCOPES, type Scope } from "#lib/contract/scopes";
import type { CreatedKey } from "#lib/contract/web/web";
import { type Actor, recordAudit } from "#lib/domain/audit/record-audit";
import { requireFreeKeySlot } from "#lib/domain/keys/count-active-keys";
import { insertKey } from "#lib/domain/keys/insert-key";
import { presentKey } from "#lib/domain/keys/present-key";
import { array, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import type { Db } from "#lib/platform/db/pool";
import { transaction } from "#lib/platform/db/transaction";

export interface CreateKeyRequest {
  workspaceId: string;
  /** The key's creator, whose run limit its runs count against. */
  userId: string;
  actor: Actor;
  name: string;
  /** Left out: the contract's six. */
  scopes?: readonly Scope[];
  expiresAt?: Date;
  /** Limits the key to these actions; left out is all. */
  actionSlugs?: readonly string[];
}

/**
 * Issues a key. The raw key stands in the answer and nowhere else (contract, API keys; decisions, API keys).
 * @throws ApiError BAD_REQUEST (an expiry that has passed, an action that does not exist), KEY_QUOTA_EXCEEDED
 */
export async function createKey(request: CreateKeyRequest): Promise<CreatedKey> {
  const { workspaceId, userId, actor } = request;
  const now = new Date();
  if (request.expiresAt && !(request.expiresAt > now)) {
    throw new ApiError("BAD_REQUEST", "expires_at: must be in the future");
  }
  const wanted = request.scopes ?? DEFAULT_SCOPES;
  return transaction(async (tx) => {
    await requireFreeKeySlot(tx, workspaceId);
    if (request.actionSlugs) await assertActionsExist(tx, workspaceId, request.actionSlugs);
    const { row, rawKey } = await insertKey(tx, {
      workspaceId,
      userId,
      name: request.name,
      // In the contract's order, once each.
      scopes: SCOPES.filter((scope) => wanted.includes(scope)),
      expiresAt: request.expiresAt ?? null,
      actionSlugs: request.actionSlugs ? [...new Set(request.actionSlugs)] : null,
      rotatedFromId: null,
    });
    await recordAudit(tx, {
      workspaceId,
      actor,
      action: "key.created",
      objectType: "api_key",
      objectId: row.id,
      details: { name: row.name, prefix: row.prefix, scopes: row.scopes, action_slugs: row.action_slugs },
    });
    return { ...presentKey(row, now), raw_key: rawKey };
  });
}

const selectSlugs = defineStatement({
  name: "find_action_slugs",
  params: { workspaceId: uuid, slugs: array(text) },
  row: { slug: text },
  sql: "select slug from actions where workspace_id = $1 and slug = any($2)",
  isPrepared: false,
});

async function assertActionsExist(tx: Db, workspaceId: string, slugs: readonly string[]): Promise<void> {
  const known = await selectSlugs.all(tx, { workspaceId, slugs });
  const missing = slugs.filter((slug) => !known.some((row) => row.slug === slug));
  if (missing.length > 0) throw new ApiError("BAD_REQUEST", `action_slugs: there is no action ${missing.join(", ")}`);
}
