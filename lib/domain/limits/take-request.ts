import { LIMITS } from "#lib/contract/limits";
import { PLAN_LIMITS, PLANS, type Plan } from "#lib/contract/plans";
import { SCOPES, type Scope } from "#lib/contract/scopes";
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

/** What is left of a key's sliding window of 60 seconds (contract, Limits: request rate per API key). */
export interface RateWindow {
  /** Requests per window; 0 is no limit. */
  limit: number;
  remaining: number;
  /** Epoch second in which the oldest counted request leaves the window. */
  resetAt: number;
  isAllowed: boolean;
  /** At least 1. */
  retryAfterSeconds: number;
}

/** A key as it is at this moment: read anew with every request, so that revoking it holds for the next one. */
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

const TAKE_ROW = {
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
  // Keys are taken in one order by every process: each is locked until the statement ends.
  sql: `select taken.* from (select * from unnest($1::uuid[]) with ordinality as k (id, place) order by id, place) given
        cross join lateral take_request(given.id, $2) taken order by given.place`,
});

/**
 * Spends one request of the key's window and reads whether the key still lives, in one round trip that requests of the
 * same moment share. Every process shares the window (`prisma/functions/take_request.sql` says how). A refused
 * request is not counted, so a 429 does not lengthen the window; a key that is not active spends nothing.
 */
export const takeRequest: (keyId: string) => Promise<TakenRequest> = gather(takeRequests, {
  atOnce: 2,
  max: 100,
  isItemsFault: wasRefused,
});

/** @returns in the order given; requests of one key are counted in that order too */
async function takeRequests(keyIds: readonly string[]): Promise<TakenRequest[]> {
  const rows = await takeAll.all(db(), { keyIds, limits: windowLimits() });
  return rows.map(readTaken);
}

function readTaken(row: RowOf<typeof TAKE_ROW>): TakenRequest {
  if (row.state !== "active") return { state: row.state };
  const { workspace_id: workspaceId, user_id: userId, action_slugs: actionSlugs, plan, name, prefix, scopes } = row;
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

/** Requests per window; an override of the operator holds for every plan, and 0 is no limit. */
export function windowLimit(plan: Plan): number {
  return env().REQUESTS_PER_WINDOW ?? PLAN_LIMITS[plan].requestsPerWindow;
}

function windowLimits(): Partial<Record<Plan, number>> {
  return Object.fromEntries(PLANS.map((plan) => [plan, windowLimit(plan)]));
}
