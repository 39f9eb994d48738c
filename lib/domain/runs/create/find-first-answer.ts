import { createHash } from "node:crypto";
import type { JsonObject } from "#lib/contract/json-schema";
import { LIMITS } from "#lib/contract/limits";
import type { RunObject } from "#lib/contract/run";
import type { ApprovalRow } from "#lib/domain/approvals/present-approval";
import { presentNewRun } from "#lib/domain/runs/read/present-run";
import { RUN_COLUMN_TYPES, runColumns } from "#lib/domain/runs/read/run-row";
import { bytea, integer, jsonb, nullable, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";
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
 * Hashes what makes two calls with one idempotency key equal: the caller's input, and whether the call is a dry run.
 */
export function hashPayload(input: JsonObject, dryRun: boolean): Buffer {
  return createHash("sha256")
    .update(canonicalJson({ input, dry_run: dryRun }))
    .digest();
}

const selectAnswered = defineStatement({
  name: "find_first_answer",
  params: { workspaceId: uuid, actionSlug: text, key: text, payloadHash: bytea, hours: integer },
  row: { ...RUN_COLUMN_TYPES, policy: nullable(jsonb<ApprovalRow>()) },
  sql: `select ${runColumns("none")},
          (select to_jsonb(p) from approvals p where p.run_id = r.id and p.kind = 'policy') as policy
        from idempotency_keys i join runs r on r.id = i.run_id
        where i.workspace_id = $1 and i.action_slug = $2 and i.key = $3 and i.payload_hash = $4
          and i.created_at > clock_timestamp() - make_interval(hours => $5)`,
});

/**
 * Returns the first answer to the same call while its key is kept (decisions, Correlation and idempotency), or null if
 * there was none or its payload was different. The answer is built from the run's row, so none is stored twice.
 */
export async function findFirstAnswer(call: IdempotentCall): Promise<RunObject | null> {
  const run = await selectAnswered.first(db(), {
    workspaceId: call.workspaceId,
    actionSlug: call.actionSlug,
    key: call.key,
    payloadHash: hashPayload(call.input, call.dryRun),
    hours: LIMITS.idempotencyKeyHours,
  });
  return run ? presentNewRun({ ...run, approval: run.policy }) : null;
}
