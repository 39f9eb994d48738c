import { effectiveScopes, SCOPES, type Scope } from "#lib/contract/key/scopes";
import { LIMITS } from "#lib/contract/limits";
import { PLAN_LIMITS, PLANS, type Plan } from "#lib/contract/workspace/plans";
import { env } from "#lib/platform/config/env";
import { wasRefused } from "#lib/platform/db/classify-database-error";
import {
  array,
  bigint,
  boolean,
  enumOf,
  integer,
  jsonb,
  nullable,
  type RowOf,
  text,
  uuid,
} from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";
import { gather } from "#lib/support/gather";
import { NIL_UUID } from "#lib/support/ids";

/** The rest of a key's sliding window of 60 seconds (contract, Limits: request rate per API key). */
export interface RateWindow {
  /** Requests per window; 0 means no limit. */
  limit: number;
  remaining: number;
  /** The epoch second in which the oldest counted request leaves the window. */
  resetAt: number;
  isAllowed: boolean;
  /** At least 1. */
  retryAfterSeconds: number;
}

/** A key as it is at this moment: read with every request, so that a revocation applies to the next one. */
export interface LiveKey {
  workspaceId: string;
  plan: Plan;
  userId: string;
  name: string;
  prefix: string;
  scopes: Scope[];
  actionSlugs: string[] | null;
}

export type TakenRequest =
  | { state: "active"; key: LiveKey; window: RateWindow }
  | { state: "revoked" | "expired" | "unknown" };

/** The row of `take_requests`. */
export const TAKE_ROW = {
  place: bigint,
  state: enumOf(["active", "revoked", "expired", "unknown"]),
  workspace_id: uuid,
  plan: enumOf(PLANS),
  user_id: uuid,
  name: text,
  prefix: text,
  scopes: array(enumOf(SCOPES)),
  action_slugs: nullable(array(text)),
  request_limit: integer,
  is_allowed: boolean,
  remaining: nullable(integer),
  reset_at: nullable(bigint),
  retry_after: nullable(integer),
};

const takeAll = defineStatement({
  name: "take_requests",
  params: { keyIds: array(uuid), limits: jsonb<Partial<Record<Plan, number>>>() },
  row: TAKE_ROW,
  sql: "select * from take_requests($1, $2) order by place",
  warmUp: { keyIds: [NIL_UUID], limits: {} },
});

/**
 * Spends one request of the key's window and reads whether the key is still active, in one round trip that concurrent
 * requests share. All processes share the window (see `prisma/functions/take_requests.sql`). A refused request is not
 * counted, so a 429 does not lengthen the window; a key that is not active spends nothing.
 */
export const takeRequest: (keyId: string) => Promise<TakenRequest> = gather(takeRequests, {
  atOnce: 2,
  max: 100,
  isItemsFault: wasRefused,
});

/** @returns in the order of the arguments; requests of one key are counted in that order too */
async function takeRequests(keyIds: readonly string[]): Promise<TakenRequest[]> {
  const rows = await takeAll.all(db(), { keyIds, limits: windowLimits() });
  return rows.map(readTaken);
}

/** Reads the row of `take_requests`. */
export function readTaken(row: RowOf<typeof TAKE_ROW>): TakenRequest {
  if (row.state !== "active") return { state: row.state };
  const { workspace_id: workspaceId, user_id: userId, action_slugs: actionSlugs, plan, name, prefix } = row;
  const scopes = effectiveScopes(row.scopes, actionSlugs);
  return {
    state: "active",
    key: { workspaceId, plan, userId, name, prefix, scopes, actionSlugs },
    window: {
      limit: row.request_limit,
      remaining: row.remaining ?? 0,
      resetAt: row.reset_at ?? Math.floor(Date.now() / 1000) + LIMITS.rateWindowSeconds,
      isAllowed: row.is_allowed,
      retryAfterSeconds: row.retry_after ?? 1,
    },
  };
}

/** Returns the requests per window; the operator's override applies to every plan, and 0 means no limit. */
export function windowLimit(plan: Plan): number {
  return env().REQUESTS_PER_WINDOW ?? PLAN_LIMITS[plan].requestsPerWindow;
}

/** Returns the requests per window of each plan, for `take_requests`. */
export function windowLimits(): Partial<Record<Plan, number>> {
  return Object.fromEntries(PLANS.map((plan) => [plan, windowLimit(plan)]));
}
