import { createHash } from "node:crypto";
import type { JsonObject } from "#lib/contract/json-schema";
import { LIMITS } from "#lib/contract/limits";
import type { RunObject } from "#lib/contract/run";
import { findLongNumbers } from "#lib/core/input/find-hostile";
import type { ApprovalRow } from "#lib/domain/approvals/present-approval";
import { presentNewRun } from "#lib/domain/runs/read/present-run";
import { RUN_COLUMN_TYPES, runColumns } from "#lib/domain/runs/read/run-row";
import { array, bytea, integer, jsonb, nullable, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { type Db, db } from "#lib/platform/db/pool";
import { canonicalJson } from "#lib/support/json";

export interface IdempotentCall {
  workspaceId: string;
  actionSlug: string;
  key: string;
  /** The input as the caller sent it. */
  input: JsonObject;
  dryRun: boolean;
}

/**
 * Hashes what makes two calls with one idempotency key equal: the caller's input, and whether the call is a dry run. Equal
 * JSON values are equal, such as 1, 1.0 and 1e0. A call with a number that would lose digits creates no run, and equals
 * none.
 */
export function hashPayload(input: JsonObject, dryRun: boolean): Buffer {
  return createHash("sha256")
    .update(canonicalJson({ input, dry_run: dryRun, ...unequal(input) }))
    .digest();
}

function unequal(input: JsonObject): { long?: true } {
  return findLongNumbers(input).length > 0 ? { long: true } : {};
}

const selectAnswered = defineStatement({
  name: "find_first_answers",
  params: {
    workspaceIds: array(uuid),
    actionSlugs: array(text),
    keys: array(text),
    payloadHashes: array(bytea),
    hours: integer,
  },
  row: { position: integer, ...RUN_COLUMN_TYPES, policy: nullable(jsonb<ApprovalRow>()) },
  sql: `select asked.position::integer, ${runColumns("none")},
          (select to_jsonb(p) from approvals p where p.run_id = r.id and p.kind = 'policy') as policy
        from unnest($1::uuid[], $2::text[], $3::text[], $4::bytea[])
          with ordinality as asked (workspace_id, action_slug, key, payload_hash, position)
        join idempotency_keys i using (workspace_id, action_slug, key, payload_hash)
        join runs r on r.id = i.run_id
        where i.created_at > clock_timestamp() - make_interval(hours => $5)`,
});

/**
 * Returns the first answer to each of the calls while its key is kept (decisions, Correlation and idempotency), or null
 * if there was none or its payload was different. The answers are built from the rows of the runs, so none is stored
 * twice.
 */
export async function findFirstAnswers(
  calls: readonly IdempotentCall[],
  from: Db = db(),
): Promise<(RunObject | null)[]> {
  if (calls.length === 0) return [];
  const answered = await selectAnswered.all(from, {
    workspaceIds: calls.map((call) => call.workspaceId),
    actionSlugs: calls.map((call) => call.actionSlug),
    keys: calls.map((call) => call.key),
    payloadHashes: calls.map((call) => hashPayload(call.input, call.dryRun)),
    hours: LIMITS.idempotencyKeyHours,
  });
  const byPosition = new Map(answered.map((run) => [run.position, run]));
  return calls.map((_, index) => {
    const run = byPosition.get(index + 1);
    return run ? presentNewRun({ ...run, approval: run.policy }) : null;
  });
}
