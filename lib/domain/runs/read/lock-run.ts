import type { RunStatus } from "#lib/contract/run";
import { type RunReference, runNotFound } from "#lib/domain/runs/read/get-run";
import type { Db } from "#lib/platform/db/pool";
import { UUID_PATTERN } from "#lib/support/ids";

/** A run whose row this transaction holds: nobody writes its status, its journal or its approvals meanwhile. */
export interface LockedRun {
  id: string;
  workspaceId: string;
  status: RunStatus;
  /** Losses of a worker in a row without progress. */
  stalled: number;
  /** True when it has begun and nobody executes it: it waits for its job. */
  isParked: boolean;
  /** Who started it: the person, or the creator of the key. */
  userId: string | null;
}

/**
 * Locks a run for a change that its worker does not make.
 * @throws ApiError RUN_NOT_FOUND
 */
export async function lockRun(tx: Db, { workspaceId, runId, actionSlugs }: RunReference): Promise<LockedRun> {
  if (!UUID_PATTERN.test(runId)) throw runNotFound();
  const { rows } = await tx.query<LockedRun>({
    name: "lock_run",
    text: `select id, workspace_id as "workspaceId", status, stalled,
             status = 'running' and lease_owner is null as "isParked", user_id as "userId" from runs
           where id = $1 and workspace_id = $2 and ($3::text[] is null or action_slug = any($3)) for no key update`,
    values: [runId, workspaceId, actionSlugs],
  });
  if (!rows[0]) throw runNotFound();
  return rows[0];
}
