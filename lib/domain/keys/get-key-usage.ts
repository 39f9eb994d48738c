import { ApiError } from "#lib/contract/api-error";
import { LIMITS } from "#lib/contract/limits";
import type { Plan } from "#lib/contract/plans";
import { KEY_USAGE_DAYS, type KeyUsageObject } from "#lib/contract/web/key-usage";
import { db } from "#lib/platform/db/pool";

interface CountedRow {
  operation: string;
  status: number;
  requests: number;
  last_at: Date;
}

const SHOWN_MAX = 20;
/** A busy key's actions are told by its latest runs: counting a week of them would take seconds. */
const COUNTED_RUNS_MAX = 10_000;
const REFUSALS: ReadonlySet<number> = new Set([401, 403, 429]);

/**
 * How a key was used: the window of this moment, and what it called in the last days.
 * @param limitOf requests a window of each plan
 * @throws ApiError NOT_FOUND, for a foreign key too
 */
export async function getKeyUsage(
  workspaceId: string,
  keyId: string,
  limitOf: (plan: Plan) => number,
): Promise<KeyUsageObject> {
  const key = await db().query<{ plan: Plan; used: number }>({
    name: "get_key_window",
    text: `select w.plan, (select count(*)::integer from rate_hits h
             where h.key_id = k.id and h.at > now() - make_interval(secs => $3)) as used
           from api_keys k join workspaces w on w.id = k.workspace_id where k.id = $2 and k.workspace_id = $1`,
    values: [workspaceId, keyId, LIMITS.rateWindowSeconds],
  });
  const [found] = key.rows;
  if (!found) throw new ApiError("NOT_FOUND", "There is no such key.");
  const [counted, actions] = await Promise.all([readCounts(keyId), readActions(workspaceId, keyId)]);
  const byOperation = Map.groupBy(counted, (row) => row.operation);
  return {
    window: { limit: limitOf(found.plan), used: found.used },
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

async function readCounts(keyId: string): Promise<CountedRow[]> {
  const { rows } = await db().query<CountedRow>({
    name: "read_key_requests",
    text: `select operation, status, sum(requests)::integer as requests, max(last_at) as last_at from key_requests
           where key_id = $1 and hour > now() - make_interval(days => $2) group by 1, 2 order by max(last_at) desc`,
    values: [keyId, KEY_USAGE_DAYS],
  });
  return rows;
}

/** By the index on a key's runs. */
async function readActions(workspaceId: string, keyId: string): Promise<{ slug: string; runs: number }[]> {
  const { rows } = await db().query<{ slug: string; runs: number }>({
    name: "read_key_actions",
    text: `select action_slug as slug, count(*)::integer as runs from (
             select action_slug from runs
             where api_key_id = $2 and workspace_id = $1 and created_at > now() - make_interval(days => $3)
             order by created_at desc, id desc limit $5) r
           where action_slug is not null group by 1 order by 2 desc, 1 limit $4`,
    values: [workspaceId, keyId, KEY_USAGE_DAYS, SHOWN_MAX, COUNTED_RUNS_MAX],
  });
  return rows;
}
