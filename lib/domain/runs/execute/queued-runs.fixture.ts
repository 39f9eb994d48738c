import type { Plan } from "#lib/contract/workspace/plans";
import { type AdmitRequest, type AdmittedRun, admitRuns, NO_WORKSPACE } from "#lib/domain/runs/execute/admit-runs";
import { db } from "#lib/platform/db/pool";
import { uuidv7 } from "#lib/support/ids";

/** For tests: adds a workspace with a plan. */
export async function addWorkspaceOf(plan: Plan = "free"): Promise<string> {
  const id = uuidv7();
  await db().query("insert into workspaces (id, slug, name, plan) values ($1, $2, 'Test', $3)", [id, `t-${id}`, plan]);
  return id;
}

/** For tests: queues runs that exist only in the queue. */
export async function queueSome(
  workspaceId: string,
  count: number,
  { inSeconds = 0, priority = 0 } = {},
): Promise<void> {
  await db().query(
    `insert into run_queue (run_id, workspace_id, run_at, is_later, priority)
     select gen_random_uuid(), $1, now() + $3 * interval '1 second', $3 > 0, $4 from generate_series(1, $2::int)`,
    [workspaceId, count, inSeconds, priority],
  );
}

/** For tests: builds the request of a worker with many free slots. */
export const requestOfWorker = (more: Partial<AdmitRequest> = {}): AdmitRequest => ({
  poolId: "here",
  wanted: 1_000,
  slots: 40,
  afterWorkspace: NO_WORKSPACE,
  isOnlyNew: false,
  ...more,
});

let cursor = NO_WORKSPACE;
/** For tests: takes the next runs. Workspaces take turns from call to call. */
export async function takeNext(more: Partial<AdmitRequest> = {}): Promise<AdmittedRun[]> {
  const taken = await admitRuns(db(), requestOfWorker({ afterWorkspace: cursor, ...more }));
  cursor = taken.lastWorkspace;
  return taken.runs;
}
