import { ApiError } from "#lib/contract/error/api-error";
import { limitsOfPlan, PLANS, type Plan } from "#lib/contract/workspace/plans";
import { isActiveKey } from "#lib/domain/workspaces/is-active-key";
import { lockWorkspace } from "#lib/domain/workspaces/lock-workspace";
import { bigint, enumOf, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import type { Db } from "#lib/platform/db/pool";

export interface KeyQuota {
  used: number;
  /** Null means unlimited. */
  limit: number | null;
  plan: Plan;
}

const countKeys = defineStatement({
  name: "count_active_keys",
  params: { workspaceId: uuid },
  row: { plan: enumOf(PLANS), used: bigint },
  sql: `select w.plan, (select count(*) from api_keys k where k.workspace_id = w.id
          and ${isActiveKey("k")}) as used
        from workspaces w where w.id = $1`,
  isPrepared: false,
});

/**
 * Returns how many keys of the workspace are active, and how many its plan allows (contract, API keys). Revoked and
 * expired keys do not count: both have left the state `active`.
 */
export async function countActiveKeys(tx: Db, workspaceId: string): Promise<KeyQuota> {
  const { plan, used } = (await countKeys.first(tx, { workspaceId })) ?? { plan: "free", used: 0 };
  return { used, limit: limitsOfPlan(plan).activeKeys, plan };
}

/**
 * Reserves a free slot until the transaction ends, because two concurrent calls would both see the last one. The plan
 * is locked as well.
 * @throws ApiError KEY_QUOTA_EXCEEDED
 */
export async function requireFreeKeySlot(tx: Db, workspaceId: string): Promise<void> {
  await lockWorkspace(tx, workspaceId);
  const { used, limit, plan } = await countActiveKeys(tx, workspaceId);
  if (limit === null || used < limit) return;
  const words = `The ${plan} plan allows ${limit} active ${limit === 1 ? "key" : "keys"}.`;
  throw new ApiError("KEY_QUOTA_EXCEEDED", words, { details: { limit, used, plan } });
}
