import { ApiError } from "#lib/contract/error/api-error";
import { KEY_USAGE_DAYS, type KeyUsageObject } from "#lib/contract/key/key-usage";
import { LIMITS } from "#lib/contract/limits";
import { PLANS, type Plan } from "#lib/contract/workspace/plans";
import {
  bigint,
  enumOf,
  filled,
  float8,
  integer,
  type RowOf,
  text,
  timestamptz,
  uuid,
} from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";

const SHOWN_MAX = 20;
/** A busy key's actions are taken from its latest runs: counting a week of runs would take seconds. */
const COUNTED_RUNS_MAX = 10_000;
const REFUSALS: ReadonlySet<number> = new Set([401, 403, 429]);

const selectWindow = defineStatement({
  name: "get_key_window",
  params: { workspaceId: uuid, keyId: uuid, seconds: float8 },
  row: { plan: enumOf(PLANS), used: integer },
  sql: `select w.plan, (select count(*)::integer from rate_hits h
          where h.key_id = k.id and h.at > now() - make_interval(secs => $3)) as used
        from api_keys k join workspaces w on w.id = k.workspace_id where k.id = $2 and k.workspace_id = $1`,
});

const COUNTED_ROW = { operation: text, status: integer, requests: integer, last_at: timestamptz };
type CountedRow = RowOf<typeof COUNTED_ROW>;

const selectCounts = defineStatement({
  name: "read_key_requests",
  params: { keyId: uuid, days: integer },
  row: COUNTED_ROW,
  sql: `select operation, status::integer, sum(requests)::integer as requests, max(last_at) as last_at from key_requests
        where key_id = $1 and hour > now() - make_interval(days => $2) group by 1, 2 order by max(last_at) desc`,
});

const selectActions = defineStatement({
  name: "read_key_actions",
  params: { workspaceId: uuid, keyId: uuid, days: integer, limit: bigint, countedMax: bigint },
  row: { slug: filled(text), runs: integer },
  // Uses the index on a key's runs.
  sql: `select action_slug as slug, count(*)::integer as runs from (
          select action_slug from runs
          where api_key_id = $2 and workspace_id = $1 and created_at > now() - make_interval(days => $3)
          order by created_at desc, id desc limit $5) r
        where action_slug is not null group by 1 order by 2 desc, 1 limit $4`,
});

/**
 * Returns how a key is used: its current window, and what it called in the last days.
 * @param limitOf requests per window of each plan
 * @throws ApiError NOT_FOUND, also for a key of another workspace
 */
export async function getKeyUsage(
  workspaceId: string,
  keyId: string,
  limitOf: (plan: Plan) => number,
): Promise<KeyUsageObject> {
  const key = await selectWindow.first(db(), { workspaceId, keyId, seconds: LIMITS.rateWindowSeconds });
  if (!key) throw new ApiError("NOT_FOUND", "There is no such key.");
  const days = KEY_USAGE_DAYS;
  const [counted, actions] = await Promise.all([
    selectCounts.all(db(), { keyId, days }),
    selectActions.all(db(), { workspaceId, keyId, days, limit: SHOWN_MAX, countedMax: COUNTED_RUNS_MAX }),
  ]);
  const byOperation = Map.groupBy(counted, (row) => row.operation);
  return {
    window: { limit: limitOf(key.plan), used: key.used },
    operations: [...byOperation]
      .filter(([operation]) => operation !== "")
      .map(([operation, rows]) => ({
        operation,
        requests: sumOf(rows),
        refused: sumOf(rows.filter((row) => row.status >= 400)),
      }))
      .sort((a, b) => b.requests - a.requests),
    refusals: counted
      .filter((row) => REFUSALS.has(row.status))
      .slice(0, SHOWN_MAX)
      .map((row) => ({ ...row, last_at: row.last_at.toISOString() })),
    actions,
  };
}

function sumOf(rows: readonly CountedRow[]): number {
  return rows.reduce((sum, row) => sum + row.requests, 0);
}
