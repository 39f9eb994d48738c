import { RUN_STATUSES } from "#lib/contract/run/run";
import { type RunReference, runNotFound } from "#lib/domain/runs/read/get-run";
import { array, boolean, enumOf, integer, nullable, type RowOf, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import type { Db } from "#lib/platform/db/pool";
import { UUID_PATTERN } from "#lib/support/ids";

const LOCKED_RUN = {
  id: uuid,
  workspaceId: uuid,
  status: enumOf(RUN_STATUSES),
  /** Losses of a worker in a row without progress. */
  stalled: integer,
  /** True if the run has started and no worker executes it: it waits for its job. */
  isParked: boolean,
  /** The person who started the run, or the creator of the key. */
  userId: nullable(uuid),
  apiKeyId: nullable(uuid),
};

/** A run whose row this transaction has locked: no one else can write its status, its journal or its approvals. */
export type LockedRun = RowOf<typeof LOCKED_RUN>;

const findAndLock = defineStatement({
  name: "lock_run",
  params: { runId: uuid, workspaceId: uuid, actionSlugs: nullable(array(text)) },
  row: LOCKED_RUN,
  sql: `select id, workspace_id as "workspaceId", status, stalled,
          status = 'running' and lease_owner is null as "isParked", user_id as "userId",
          api_key_id as "apiKeyId" from runs
        where id = $1 and workspace_id = $2 and ($3::text[] is null or action_slug = any($3)) for no key update`,
});

/**
 * Locks a run for a change that its worker does not make.
 * @throws ApiError RUN_NOT_FOUND
 */
export async function lockRun(tx: Db, reference: RunReference): Promise<LockedRun> {
  if (!UUID_PATTERN.test(reference.runId)) throw runNotFound();
  const run = await findAndLock.first(tx, reference);
  if (!run) throw runNotFound();
  return run;
}
