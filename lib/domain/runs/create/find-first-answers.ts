import { LIMITS } from "#lib/contract/limits";
import type { RunObject } from "#lib/contract/run";
import type { ApprovalRow } from "#lib/domain/approvals/present-approval";
import type { NewRun } from "#lib/domain/runs/create/new-run";
import { presentNewRun } from "#lib/domain/runs/read/present-run";
import { RUN_COLUMN_TYPES, runColumns } from "#lib/domain/runs/read/run-row";
import { array, bytea, integer, jsonb, nullable, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { type Db, db } from "#lib/platform/db/pool";

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
  sql: `select asked.position::integer, ${runColumns()},
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
  calls: readonly Pick<NewRun, "workspace_id" | "action_slug" | "idempotency_key" | "payload_hash">[],
  from: Db = db(),
): Promise<(RunObject | null)[]> {
  if (calls.length === 0) return [];
  const answered = await selectAnswered.all(from, {
    workspaceIds: calls.map((call) => call.workspace_id),
    actionSlugs: calls.map((call) => call.action_slug ?? ""),
    keys: calls.map((call) => call.idempotency_key ?? ""),
    payloadHashes: calls.map((call) => Buffer.from(call.payload_hash ?? "", "base64")),
    hours: LIMITS.idempotencyKeyHours,
  });
  const byPosition = new Map(answered.map((run) => [run.position, run]));
  return calls.map((_, index) => {
    const run = byPosition.get(index + 1);
    return run ? presentNewRun({ ...run, approval: run.policy }) : null;
  });
}
